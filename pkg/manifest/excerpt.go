package manifest

import (
	"hash/maphash"
	"io"
	"io/fs"
)

var excerptSeed = maphash.MakeSeed()

// excerpt is a part of the text of a file. It is in memory until release, and afterwards is read again for who asks for it.
type excerpt struct {
	text string
	// source is nil for what cannot be read again.
	source *source
	// offset and size are those of the text in the file.
	offset, size int
	sum          uint64
}

// source is a file that can be read again.
type source struct {
	fsys fs.FS
	file string
}

func (e *excerpt) part(start, end int) excerpt {
	return excerpt{text: e.text[start:end], source: e.source, offset: e.offset + start}
}

// release lets the text go if it can be read again.
func (e *excerpt) release() {
	if e.source == nil || e.text == "" {
		return
	}
	e.size, e.sum, e.text = len(e.text), maphash.String(excerptSeed, e.text), ""
}

// get gives the text. It gives an empty one if the file has changed since, or is gone.
func (e *excerpt) get() string {
	if e.size == 0 {
		return e.text
	}
	data := make([]byte, e.size)
	if err := e.source.read(data, e.offset); err != nil || maphash.Bytes(excerptSeed, data) != e.sum {
		return ""
	}
	return string(data)
}

func (s *source) read(data []byte, offset int) error {
	file, err := s.fsys.Open(s.file)
	if err != nil {
		return err
	}
	defer file.Close()
	if at, ok := file.(io.ReaderAt); ok {
		_, err = io.ReadFull(io.NewSectionReader(at, int64(offset), int64(len(data))), data)
		return err
	}
	if _, err = io.CopyN(io.Discard, file, int64(offset)); err != nil {
		return err
	}
	_, err = io.ReadFull(file, data)
	return err
}

// readAgain gives the source of a file whose text can be read again and is the one that was read; else nil.
func readAgain(fsys fs.FS, file string, text string, size int) *source {
	if len(text) != size {
		return nil // a byte order mark or line ends are gone
	}
	if info, err := fs.Stat(fsys, file); err != nil || !info.Mode().IsRegular() || info.Size() != int64(size) {
		return nil
	}
	return &source{fsys: fsys, file: file}
}
