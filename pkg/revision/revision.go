// Package revision gives the files of a revision of git, as they are in the repository of the working directory.
package revision

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Tree is a directory with the files of a revision.
type Tree struct {
	// name is how the user calls the revision.
	name string
	// root is the directory, and repository that of the working tree.
	root, repository string
}

// CheckOut writes the files of a revision into a temporary directory. The error says that there is no git, no repository or no such
// revision.
func CheckOut(ctx context.Context, name string) (*Tree, error) {
	if strings.HasPrefix(name, "-") {
		return nil, fmt.Errorf("%q is no revision", name)
	}
	top, err := git(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	repository := strings.TrimRight(string(top), "\r\n")
	commit, err := git(ctx, repository, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("git knows no revision %q", name)
	}
	archive, err := git(ctx, repository, "archive", "--format=tar", strings.TrimSpace(string(commit)))
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp("", "policyloom-revision-*")
	if err != nil {
		return nil, err
	}
	tree := &Tree{name: name, root: root, repository: repository}
	if err := extract(bytes.NewReader(archive), root); err != nil {
		tree.Remove()
		return nil, fmt.Errorf("revision %s: %w", name, err)
	}
	return tree, nil
}

// Remove deletes the directory.
func (t *Tree) Remove() { _ = os.RemoveAll(t.root) }

// Path gives the place that a path of the working tree has in the revision, whether there is anything or not.
func (t *Tree) Path(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	// git names the repository without symbolic links; of the path, what is last may not exist.
	if directory, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil {
		absolute = filepath.Join(directory, filepath.Base(absolute))
	}
	relative, err := filepath.Rel(t.repository, absolute)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is not in the repository %s, so it has no revisions", path, t.repository)
	}
	return filepath.Join(t.root, relative), nil
}

// Show names a file of the revision as git does, REVISION:path. Others keep their names.
func (t *Tree) Show(file string) string {
	relative, err := filepath.Rel(t.root, file)
	if err != nil || !filepath.IsAbs(file) || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return file
	}
	return t.name + ":" + filepath.ToSlash(relative)
}

func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("revisions need the program git, which is not on PATH")
	case err != nil:
		return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(strings.TrimSpace(stderr.String()), "fatal: "))
	}
	return output, nil
}

// extract writes the files of an archive. Links that lead out of the directory are left out, and so is whatever is no file.
func extract(archive io.Reader, root string) error {
	reader := tar.NewReader(archive)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(header.Name)
		if header.Typeflag == tar.TypeXGlobalHeader || !filepath.IsLocal(name) {
			continue
		}
		target := filepath.Join(root, name)
		switch header.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(target, 0o755)
		case tar.TypeReg:
			err = writeFile(target, reader)
		case tar.TypeSymlink:
			if filepath.IsLocal(filepath.Join(filepath.Dir(name), filepath.FromSlash(header.Linkname))) && !filepath.IsAbs(header.Linkname) {
				err = os.Symlink(header.Linkname, target)
			}
		}
		if err != nil {
			return err
		}
	}
}

func writeFile(name string, content io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
