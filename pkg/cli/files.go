package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const (
	// standardInput is what users write for it, and stdinName what findings call it.
	standardInput = "-"
	stdinName     = "<stdin>"
)

// exists gives an error for a file or directory that is not there.
func exists(path string) error {
	if path == "" {
		return errors.New("the name of a file or directory is empty")
	}
	_, err := os.Stat(path)
	if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
		// Without the name of the system call.
		return fmt.Errorf("%s: %w", path, wrapped.Err)
	}
	return err
}

// readFile reads a file, or standard input, and gives the name that findings call it by.
func readFile(file string, stdin io.Reader) (data []byte, name string, err error) {
	if file == standardInput {
		data, err = io.ReadAll(stdin)
		return data, stdinName, err
	}
	if err := exists(file); err != nil {
		return nil, "", err
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, "", fmt.Errorf("%s is a directory: name the files in it", file)
	}
	data, err = os.ReadFile(file)
	return data, file, err
}
