package diag

import (
	"errors"
	"io/fs"
)

// Unreadable says that a file or directory cannot be read, without repeating its path.
func Unreadable(file string, err error) Finding {
	if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	f := Finding{Severity: Error, Position: Position{File: file}, Message: "cannot be read: " + err.Error()}
	if errors.Is(err, fs.ErrNotExist) {
		f.Message = "no such file or directory"
	}
	return f
}
