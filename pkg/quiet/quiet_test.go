package quiet

import (
	"context"
	"io"
	"os"
	"testing"

	klogv1 "k8s.io/klog"
	klogv2 "k8s.io/klog/v2"
)

func TestNothingReachesStandardError(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = write
	defer func() { os.Stderr = stderr }()
	TemplateEngine()
	klogv1.Errorf("an error of the template engine")
	klogv1.Infof("a message of the template engine")
	klogv2.FromContext(Context(context.Background())).Info("a message of the scheduler")
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(read)
	if err != nil || len(text) > 0 {
		t.Errorf("standard error got %q, %v", text, err)
	}
}
