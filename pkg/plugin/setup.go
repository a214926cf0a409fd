package plugin

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

// Status is the outcome of a check.
type Status string

const (
	// OK means that all is as it should be.
	OK Status = "ok"
	// Note is for what is missing and not always needed.
	Note Status = "note"
	// Problem means that kustomize cannot use the plugin.
	Problem Status = "problem"
)

// Check is something that was looked at on this computer.
type Check struct {
	// Name says what was looked at, such as "plugin home" or "kustomize".
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Path is where it is.
	Path string `json:"path,omitempty"`
	// Version is what it says of itself.
	Version string `json:"version,omitempty"`
	// Message says what is wrong or worth knowing.
	Message string `json:"message,omitempty"`
	// Hint says what to do.
	Hint string `json:"hint,omitempty"`
}

const installHint = "run policyloom install-plugin"

// CheckSetup looks at the plugin home and at the programs that work with it. Executable is the program that should be the
// plugin.
func CheckSetup(ctx context.Context, executable string) []Check {
	return []Check{
		checkHome(), checkPlugin(executable), checkKustomize(ctx), checkPolicyGenerator(ctx), checkKubectl(ctx),
	}
}

func checkHome() Check {
	check := Check{Name: "plugin home", Status: OK, Path: UserHome()}
	wanted, err := DefaultHome()
	switch named := os.Getenv(konfig.KustomizePluginHomeEnv); {
	case check.Path == "" && err != nil:
		check.Status, check.Message, check.Hint = Problem, err.Error(), "set "+konfig.KustomizePluginHomeEnv
	case check.Path == "":
		check.Status, check.Path, check.Message, check.Hint = Problem, wanted, "does not exist", installHint
	case named != "" && check.Path != named:
		check.Status, check.Hint = Problem, installHint
		check.Message = konfig.KustomizePluginHomeEnv + " names " + named + ", which does not exist, so kustomize looks here"
	case named != "":
		check.Message = "from " + konfig.KustomizePluginHomeEnv
	}
	return check
}

func checkPlugin(executable string) Check {
	check := Check{Name: v1alpha1.VirtualMachineDNSKind, Status: Problem, Hint: installHint}
	home := UserHome()
	if home == "" {
		check.Message = "there is no plugin home to look into"
		return check
	}
	check.Path = Path(home)
	info, err := os.Stat(check.Path)
	switch {
	case os.IsNotExist(err):
		check.Message = "is not installed"
		if _, err := os.Lstat(check.Path); err == nil {
			check.Message = "is a link to a program that is no longer there"
		}
		return check
	case err != nil:
		check.Message = err.Error()
		return check
	case !info.Mode().IsRegular() || !isExecutable(check.Path):
		check.Message = "is not an executable file"
		return check
	}
	same, err := sameContent(executable, check.Path)
	switch {
	case err != nil:
		check.Message = err.Error()
	case same:
		check.Status, check.Message, check.Hint = OK, "this program", ""
	case isScript(check.Path):
		check.Status, check.Message, check.Hint = Note, "is a script; which policyloom it runs is not known", ""
	default:
		check.Message = "is another build than this program, " + executable
	}
	return check
}

func isScript(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 2)
	_, err = io.ReadFull(file, start)
	return err == nil && bytes.Equal(start, []byte("#!"))
}

func checkKustomize(ctx context.Context) Check {
	check := Check{Name: "kustomize", Status: Note, Message: "is not on PATH; policyloom build works without it"}
	path, err := exec.LookPath("kustomize")
	if err != nil {
		return check
	}
	check = Check{Name: check.Name, Status: OK, Path: path}
	return check.withVersion(versionOf(ctx, path, "version"))
}

func checkPolicyGenerator(ctx context.Context) Check {
	check := Check{Name: policyGeneratorKind, Status: Note, Message: "is neither in the plugin home nor on PATH; only those who use it need it"}
	path := FindPolicyGenerator()
	if path == "" {
		return check
	}
	check = Check{Name: check.Name, Status: OK, Path: path}
	if home := UserHome(); home == "" || path != policyGeneratorPath(home) {
		check.Status, check.Message = Note, "is on PATH, where policyloom build finds it and kustomize does not"
		if home != "" {
			check.Hint = "for kustomize, link it to " + filepath.Clean(policyGeneratorPath(home))
		}
	}
	return check.withVersion(versionOf(ctx, path, "--version"))
}

func checkKubectl(ctx context.Context) Check {
	check := Check{Name: "kubectl", Status: Note, Message: "is not on PATH; only kubectl kustomize needs it"}
	path, err := exec.LookPath("kubectl")
	if err != nil {
		return check
	}
	check = Check{Name: check.Name, Status: OK, Path: path}
	return check.withVersion(kubectlVersion(ctx, path))
}

func (c Check) withVersion(version string, err error) Check {
	if err != nil {
		c.Status, c.Message, c.Hint = Problem, "cannot be run: "+err.Error(), ""
		return c
	}
	c.Version = version
	return c
}
