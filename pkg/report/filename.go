package report

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/policyloom/policyloom/pkg/evaluate"
)

// longestName is how many bytes of a name are kept. File systems take 255, from which an end and a number go.
const longestName = 200

// reserved are names that Windows keeps for devices.
var reserved = []string{"con", "prn", "aux", "nul", "com", "lpt"}

// fileNames gives the objects of one cluster names of files, all different from one another. Letter case does not tell names
// apart, since not every file system does.
type fileNames map[string]bool

func (taken fileNames) of(object evaluate.Object) string {
	parts := []string{object.Object.GetKind(), object.Object.GetNamespace(), object.Object.GetName()}
	for i := range parts {
		parts[i] = fileName(parts[i])
	}
	base := shorten(strings.Join(parts, "_"))
	if object.ComplianceType == "mustnothave" {
		base += ".mustnothave"
	}
	name := base + ".yaml"
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s_%d.yaml", base, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// fileName keeps letters, digits, dots (not in front) and hyphens and writes every other byte as %XX, so that a name from a
// template can lead nowhere else.
func fileName(name string) string {
	var b strings.Builder
	device := slices.Contains(reserved, strings.TrimRight(strings.ToLower(name), "0123456789"))
	for i := range len(name) {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if letter && !(device && i == 0) || c == '-' || c == '.' && i > 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// shorten cuts a name that is too long for a file system, and ends it in a digest of all of it.
func shorten(name string) string {
	if len(name) <= longestName {
		return name
	}
	return fmt.Sprintf("%s~%x", name[:longestName], sha256.Sum256([]byte(name)))[:longestName+17]
}
