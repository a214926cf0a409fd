package cli

import (
	"io/fs"
	"os"
)

// osFS is the file system of the machine under the paths that users type, absolute ones and those with .. included, which
// os.DirFS does not take.
type osFS struct{}

var (
	_ fs.ReadDirFS  = osFS{}
	_ fs.ReadFileFS = osFS{}
	_ fs.StatFS     = osFS{}
)

func (osFS) Open(name string) (fs.File, error)          { return os.Open(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) ReadFile(name string) ([]byte, error)       { return os.ReadFile(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
