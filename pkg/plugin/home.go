package plugin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
)

const (
	policyGeneratorVersion = "policy.open-cluster-management.io/v1"
	policyGeneratorKind    = "PolicyGenerator"
)

// UserHome gives the directory where kustomize looks for the user's plugins, or the empty string if there is none.
func UserHome() string {
	home, err := konfig.DefaultAbsPluginHome(filesys.MakeFsOnDisk())
	if err != nil {
		return ""
	}
	return home
}

// FindPolicyGenerator gives the path of the PolicyGenerator plugin in the user's plugin home or else on PATH, or the empty
// string if it is nowhere.
func FindPolicyGenerator() string {
	if home := UserHome(); home != "" {
		if path := policyGeneratorPath(home); isExecutable(path) {
			return path
		}
	}
	path, err := exec.LookPath(policyGeneratorKind)
	if err != nil {
		return ""
	}
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// Path gives the place of policyloom in a plugin home.
func Path(home string) string {
	return pluginPath(home, v1alpha1.APIVersion, v1alpha1.VirtualMachineDNSKind)
}

// fillHome makes home a plugin home with policyloom, PolicyGenerator if there is one, and every plugin of the user.
func fillHome(home, executable, policyGenerator string) error {
	if _, err := Install(InstallOptions{Home: home, Executable: executable}); err != nil {
		return err
	}
	if policyGenerator == "" {
		policyGenerator = FindPolicyGenerator()
	}
	if policyGenerator != "" {
		absolute, err := filepath.Abs(policyGenerator)
		if err != nil {
			return err
		}
		if !isExecutable(absolute) {
			return fmt.Errorf("PolicyGenerator: %s is not an executable file", policyGenerator)
		}
		for _, target := range targetsOf(policyGeneratorPath(home)) {
			if err := place(absolute, target, false); err != nil {
				return err
			}
		}
	}
	if user := UserHome(); user != "" {
		absolute, err := filepath.Abs(user)
		if err != nil {
			return err
		}
		return overlay(absolute, home)
	}
	return nil
}

// knownPlugins are the plugins that a build always knows, as "apiVersion Kind".
func knownPlugins() []string {
	return []string{
		v1alpha1.APIVersion + " " + v1alpha1.VirtualMachineDNSKind,
		policyGeneratorVersion + " " + policyGeneratorKind,
	}
}

func policyGeneratorPath(home string) string {
	return pluginPath(home, policyGeneratorVersion, policyGeneratorKind)
}

func pluginPath(home, apiVersion, kind string) string {
	return filepath.Join(home, filepath.FromSlash(apiVersion), strings.ToLower(kind), kind)
}

// isExecutable tells whether a program is at path. Windows has no such permission, so any file will do there.
func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (filepath.Separator == '\\' || info.Mode().Perm()&0o111 != 0)
}
