package plugin

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"sigs.k8s.io/kustomize/api/konfig"
)

// Installation says what Install did.
type Installation struct {
	// Path is the place of the plugin.
	Path string
	// Executable is the program that was linked or copied there.
	Executable string
	// Changed is false where everything was as it should be.
	Changed bool
	// HiddenHome is a plugin home that kustomize used until now and, with the new one, no longer does.
	HiddenHome string
}

// InstallOptions say where the program goes.
type InstallOptions struct {
	// Home is the plugin home. Default: DefaultHome.
	Home string
	// Executable is the program. Default: the running one.
	Executable string
	// Copy makes a copy instead of a symbolic link.
	Copy bool
}

// DefaultHome gives the plugin home that kustomize prefers, whether it exists or not: $KUSTOMIZE_PLUGIN_HOME, or kustomize/plugin
// in $XDG_CONFIG_HOME or ~/.config.
func DefaultHome() (string, error) {
	if home := os.Getenv(konfig.KustomizePluginHomeEnv); home != "" {
		return home, nil
	}
	root := os.Getenv(konfig.XdgConfigHomeEnv)
	if root == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("there is no home directory: %w", err)
		}
		root = filepath.Join(home, konfig.XdgConfigHomeEnvDefault)
	}
	return filepath.Join(root, konfig.ProgramName, konfig.RelPluginHome), nil
}

// Install puts the program into a plugin home, in place of whatever is there. Whoever runs the plugin meanwhile gets
// the old or the new one, never half of it. A second call changes nothing.
func Install(o InstallOptions) (Installation, error) {
	executable := o.Executable
	if executable == "" {
		var err error
		if executable, err = os.Executable(); err != nil {
			return Installation{}, err
		}
	}
	if !isExecutable(executable) {
		return Installation{}, fmt.Errorf("%s is not an executable file", executable)
	}
	executable, err := realPath(executable)
	if err != nil {
		return Installation{}, err
	}
	home, hidden := o.Home, ""
	if home == "" {
		if home, err = DefaultHome(); err != nil {
			return Installation{}, err
		}
		if before := UserHome(); before != "" && !sameFile(before, home) {
			hidden = before
		}
	}
	if home, err = filepath.Abs(home); err != nil {
		return Installation{}, err
	}
	done := Installation{Path: Path(home), Executable: executable, HiddenHome: hidden}
	for _, target := range targetsOf(done.Path) {
		current, err := isInstalled(executable, target, o.Copy)
		if err == nil && !current {
			err = place(executable, target, o.Copy)
			done.Changed = true
		}
		if err != nil {
			return Installation{}, fmt.Errorf("cannot write to the plugin home %s: %w", home, err)
		}
	}
	return done, nil
}

// targetsOf gives the files that a plugin consists of. Windows starts only files with an extension while kustomize looks for
// one without, so it gets both.
func targetsOf(path string) []string {
	if runtime.GOOS == "windows" {
		return []string{path, path + ".exe"}
	}
	return []string{path}
}

// isInstalled tells whether target is what place would make.
func isInstalled(executable, target string, asCopy bool) (bool, error) {
	info, err := os.Lstat(target)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if info.IsDir() {
		return false, fmt.Errorf("%s is a directory: remove it", target)
	}
	if !asCopy && info.Mode()&os.ModeSymlink != 0 {
		text, err := os.Readlink(target)
		return text == executable, err
	}
	if target == executable { // what runs is the installed copy itself
		return true, nil
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && (!asCopy || info.Mode().Perm() != 0o755) {
		return false, nil
	}
	same, err := sameContent(executable, target)
	return same, err
}

// place makes target a link to the program or a copy of it, at once.
func place(executable, target string, asCopy bool) error {
	directory := filepath.Dir(target)
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	// A name that nobody else has, inside of the same file system.
	temporary, err := os.MkdirTemp(directory, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	fresh := filepath.Join(temporary, filepath.Base(target))
	if asCopy {
		err = copyFile(executable, fresh, 0o755)
		if err == nil {
			err = os.Chmod(fresh, 0o755) // whatever the umask is
		}
	} else {
		err = link(executable, fresh)
	}
	if err != nil {
		return err
	}
	return os.Rename(fresh, target)
}

func sameFile(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(first, second)
}

// sameContent compares two files, links followed.
func sameContent(a, b string) (bool, error) {
	if sameFile(a, b) {
		return true, nil
	}
	first, err := digest(a)
	if err != nil {
		return false, err
	}
	second, err := digest(b)
	return bytes.Equal(first, second), err
}

func digest(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return nil, err
	}
	return hash.Sum(nil), nil
}
