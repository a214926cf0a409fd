package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"

	"github.com/policyloom/policyloom/pkg/diag"
)

// parallelSize is the length of a text from which on its documents are worth more than one goroutine.
const parallelSize = 256 << 10

// Decode reads all documents of one file, YAML or JSON, and unpacks Lists. It returns the objects in the order of the
// text and a finding for everything that is wrong; a broken document does not hide the others. data is not kept.
func Decode(file string, data []byte, opts ...Option) ([]Object, diag.Findings) {
	return decodeFile(nil, file, bytes.Clone(data), newOptions(opts), newInterner())
}

// Read decodes what a reader delivers, such as standard input; name stands for the file in findings.
func Read(r io.Reader, name string, opts ...Option) ([]Object, diag.Findings) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, diag.Findings{{Severity: diag.Error, Position: diag.Position{File: name}, Message: "cannot be read: " + err.Error()}}
	}
	return decodeFile(nil, name, data, newOptions(opts), newInterner())
}

// decodeFile takes data over. Without a file system, the file cannot be read again.
func decodeFile(fsys fs.FS, file string, data []byte, opts options, intern *interner) ([]Object, diag.Findings) {
	lenient := opts.lenient != nil && opts.lenient(file)
	text, finding := readText(file, data)
	if finding != nil {
		if lenient {
			finding.Severity, finding.Message = diag.Info, "skipped: "+finding.Message
		}
		return nil, diag.Findings{*finding}
	}
	whole := excerpt{text: text}
	if opts.fixtures && fsys != nil {
		whole.source = readAgain(fsys, file, text, len(data))
	}
	documents := splitDocuments(whole)
	decoders := make([]decoder, len(documents))
	decode := func(i int, intern *interner) {
		d := &decoders[i]
		*d = decoder{options: opts, file: file, strict: !lenient, intern: intern}
		d.document(documents[i])
		d.intern = nil
	}
	if len(documents) > 1 && len(text) >= parallelSize {
		parallel(len(documents), opts.fixtures, decode)
	} else {
		for i := range documents {
			decode(i, intern)
		}
	}
	var objects []Object
	var findings diag.Findings
	for i := range decoders {
		objects = append(objects, decoders[i].objects...)
		findings = append(findings, decoders[i].findings...)
	}
	numberFragments(objects)
	for _, object := range objects {
		if object.origin.cache == nil {
			object.origin.release()
		}
	}
	return objects, findings
}

// parallel calls work for 0 to n-1 on GOMAXPROCS goroutines, each with its own interner, that shares parts or not.
func parallel(n int, share bool, work func(i int, intern *interner)) {
	indexes := make(chan int)
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			intern := newInterner()
			if share {
				intern = sharing.Get().(*interner)
				defer sharing.Put(intern)
			}
			for i := range indexes {
				work(i, intern)
			}
		})
	}
	for i := range n {
		indexes <- i
	}
	close(indexes)
	group.Wait()
}

// decoder reads one document.
type decoder struct {
	options
	file     string
	strict   bool
	intern   *interner
	objects  []Object
	findings diag.Findings
}

func (d *decoder) document(doc document) {
	at := diag.Position{File: d.file, Line: doc.line, Column: 1}
	if doc.junk != "" {
		at.Line--
		d.report(diag.Finding{Position: at, Message: fmt.Sprintf("%.40q follows the document separator", doc.junk), Hint: "put it on a line of its own"})
		return
	}
	// What begins with a brace may be YAML, too.
	if start := strings.TrimLeft(doc.text, " \t\r\n"); start == "" || start[0] != '{' || !d.json(doc, start) {
		d.yaml(doc)
	}
}

func (d *decoder) yaml(doc document) {
	o := &origin{file: d.file, excerpt: doc.excerpt, line: doc.line, column: 1}
	if root, p, ok := parseBlock(doc.text, d.intern); ok {
		d.add(root, o, diag.Position{File: d.file, Line: doc.line + p.root.line, Column: p.root.column}, p.items)
		return
	}
	value, err := parseYAML(doc.text)
	o.cache = &treeCache{}
	tree := o.tree()
	for _, twice := range duplicates(tree) {
		d.findings = append(d.findings, twice.finding(o))
	}
	if wrong := (*twiceError)(nil); errors.As(err, &wrong) {
		return
	}
	if err != nil {
		d.report(syntaxFinding(o, tree, err))
		return
	}
	if value == nil {
		return
	}
	at := diag.Position{File: d.file, Line: doc.line}
	if tree != nil {
		at = o.position(tree)
	}
	d.add(value, o, at, nil)
}

func (t duplicate) finding(o *origin) diag.Finding {
	return diag.Finding{
		Severity: diag.Error,
		Position: o.position(t.second),
		Message:  fmt.Sprintf("key %q is set twice, first in line %d", keyText(t.second), o.position(t.first).Line),
		Hint:     "remove one of the two",
	}
}

// report adds an error about a document that is left out, or a warning if its file may hold other things than objects.
func (d *decoder) report(f diag.Finding) {
	f.Severity = diag.Error
	if !d.strict {
		f.Severity, f.Message, f.Hint = diag.Warning, "skipped: "+f.Message, ""
	}
	d.findings = append(d.findings, f)
}
