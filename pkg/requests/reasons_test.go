package requests

import (
	"regexp"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/templates"
)

// Each reason in the templates has words, offline and in the report.
func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	reasons := map[string]bool{}
	for _, text := range []string{templates.VirtualMachineDNS, templates.Report} {
		for _, match := range regexp.MustCompile(`(?:\$problem :?=|\$reason =|"reason") "(\w+)"`).FindAllStringSubmatch(text, -1) {
			reasons[match[1]] = true
		}
	}
	delete(reasons, "")
	if len(reasons) < 12 {
		t.Fatalf("found only %v", reasons)
	}
	for reason := range reasons {
		// An address on the pod network is given, so the report says nothing of it.
		if inReport := strings.Contains(templates.Report, `"`+reason+`" "`); inReport == (reason == "PodNetwork") {
			t.Errorf("%s: in the report: %v", reason, inReport)
		}
		if message, _ := explain(reason, "name", "interface", "by"); strings.Contains(message, reason) {
			t.Errorf("%s has no words", reason)
		}
	}
}
