package plugin

import (
	"io"
	"os"
	"path/filepath"
)

// link makes target stand for the file or directory source: by a symbolic link, or where the system does not allow that
// (Windows without developer mode) by hard links or copies.
func link(source, target string) error {
	if os.Symlink(source, target) == nil {
		return nil
	}
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return overlay(source, target)
	}
	if os.Link(source, target) == nil {
		return nil
	}
	return copyFile(source, target, info.Mode().Perm())
}

// overlay links everything in the directory source into the directory target, which it creates if need be. What target
// already has wins; directories that both have are merged.
func overlay(source, target string) error {
	entries, err := os.ReadDir(source)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for _, entry := range entries {
		from, to := filepath.Join(source, entry.Name()), filepath.Join(target, entry.Name())
		existing, err := os.Stat(to)
		switch {
		case os.IsNotExist(err):
			err = link(from, to)
		case err == nil && existing.IsDir() && isDirectory(from):
			err = overlay(from, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copyFile(source, target string, mode os.FileMode) error {
	in, err := os.Open(source)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
