package report

import (
	"bytes"
	"io"
	"strings"
)

// colors are those of the lines of a diff or a plan, by how they begin.
var colors = []struct{ beginning, color string }{
	{"!! ", "\x1b[1;31m"}, {"  + ", "\x1b[32m"}, {"  - ", "\x1b[31m"}, {"  ~ ", "\x1b[33m"}, {"  ! ", "\x1b[1;31m"},
}

const colorEnd = "\x1b[0m"

// Colored gives a writer that colours the lines which say what comes, changes and goes. Close it to write what has no end of line.
func Colored(w io.Writer) io.WriteCloser { return &colored{w: w} }

type colored struct {
	w    io.Writer
	rest []byte
}

func (c *colored) Write(data []byte) (int, error) {
	c.rest = append(c.rest, data...)
	for {
		line, rest, found := bytes.Cut(c.rest, []byte("\n"))
		if !found {
			return len(data), nil
		}
		if err := c.line(string(line), "\n"); err != nil {
			return 0, err
		}
		c.rest = rest
	}
}

func (c *colored) line(line, end string) error {
	for _, known := range colors {
		if strings.HasPrefix(line, known.beginning) {
			line = known.color + line + colorEnd
			break
		}
	}
	_, err := io.WriteString(c.w, line+end)
	return err
}

func (c *colored) Close() error {
	if len(c.rest) == 0 {
		return nil
	}
	err := c.line(string(c.rest), "")
	c.rest = nil
	return err
}
