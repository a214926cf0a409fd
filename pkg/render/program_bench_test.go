//go:build unix

package render_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"
)

// BenchmarkProgram runs the built program, which POLICYLOOM_BINARY names, on files as oc prints them. The metrics are the least CPU
// time and the most memory of all runs: other processes make the time longer, never shorter.
func BenchmarkProgram(b *testing.B) {
	binary := os.Getenv("POLICYLOOM_BINARY")
	if binary == "" {
		b.Skip("POLICYLOOM_BINARY does not name the program: make build")
	}
	dns := func(b *testing.B, per string) string {
		file := filepath.Join(b.TempDir(), "dns.yaml")
		write(b, file, fmt.Appendf(nil, "apiVersion: policyloom.dev/v1alpha1\nkind: VirtualMachineDNS\nmetadata: {name: vm-dns}\n"+
			"spec:\n  policy: {namespace: policies}\n  placement: {labelSelector: {}}\n  endpoint: {per: %s}\n", per))
		return file
	}
	for name, c := range map[string]struct{ notation, per string }{
		"yaml": {"yaml", "Interface"}, "json": {"json", "Interface"}, "per-namespace": {"yaml", "Namespace"},
	} {
		for _, size := range []int{100, 1000, 5000, 20000, 100000} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				if size > 20000 && testing.Short() {
					b.Skip("takes minutes")
				}
				dir := b.TempDir()
				writeMachines(b, filepath.Join(dir, "vmis."+c.notation), size)
				runProgram(b, binary, "render", "-f", dns(b, c.per), "--cluster", dir, "-o", "name")
			})
		}
	}
	for _, size := range []int{100, 1000} {
		b.Run(fmt.Sprintf("fleet/%d", size), func(b *testing.B) {
			dir := b.TempDir()
			writeFleet(b, dir, "yaml", size)
			runProgram(b, binary, "render", "-f", dns(b, "Interface"), "--fleet", filepath.Join(dir, "fleet"), "-o", "name")
		})
	}
	b.Run("generate", func(b *testing.B) { runProgram(b, binary, "generate", dns(b, "Interface")) })
	b.Run("version", func(b *testing.B) { runProgram(b, binary, "version") })
}

func runProgram(b *testing.B, binary string, args ...string) {
	b.Helper()
	var least time.Duration
	var most int64
	debug.FreeOSMemory()
	for b.Loop() {
		command := exec.Command(binary, args...)
		command.Stderr = os.Stderr
		if err := command.Run(); err != nil {
			b.Fatal(err)
		}
		if used := command.ProcessState.UserTime() + command.ProcessState.SystemTime(); least == 0 || used < least {
			least = used
		}
		if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
			most = max(most, int64(usage.Maxrss))
		}
	}
	if runtime.GOOS != "darwin" {
		most *= 1 << 10 // others count in KiB
	}
	b.ReportMetric(least.Seconds(), "cpu-s")
	b.ReportMetric(float64(most)/(1<<20), "MB")
}
