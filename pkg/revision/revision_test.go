package revision

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestExtractStaysInside writes nothing outside of the directory, and no link that leads out of it.
func TestExtractStaysInside(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, header := range []tar.Header{
		{Name: "a/", Typeflag: tar.TypeDir},
		{Name: "a/file.yaml", Typeflag: tar.TypeReg},
		{Name: "a/inside", Typeflag: tar.TypeSymlink, Linkname: "file.yaml"},
		{Name: "up", Typeflag: tar.TypeSymlink, Linkname: "a/file.yaml"},
		{Name: "../out", Typeflag: tar.TypeReg},
		{Name: "/out", Typeflag: tar.TypeReg},
		{Name: "a/out", Typeflag: tar.TypeSymlink, Linkname: "../../out"},
		{Name: "etc", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
		{Name: "device", Typeflag: tar.TypeChar},
	} {
		if err := w.WriteHeader(&header); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	root := filepath.Join(outside, "tree")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := extract(&archive, root); err != nil {
		t.Fatal(err)
	}
	var files []string
	err := filepath.WalkDir(outside, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			relative, _ := filepath.Rel(outside, path)
			files = append(files, filepath.ToSlash(relative))
		}
		return err
	})
	if want := []string{"tree/a/file.yaml", "tree/a/inside", "tree/up"}; err != nil || !slices.Equal(files, want) {
		t.Errorf("got %q, want %q (%v)", files, want, err)
	}
}
