package manifest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// checkParts reads a text often enough with one interner that its parts are taken from memory, and wants the same each time.
func checkParts(t *testing.T, text string) {
	t.Helper()
	want, first, wantOK := parseBlock(text, newInterner())
	intern := sharing.New().(*interner)
	for pass := range 4 {
		got, p, ok := parseBlock(text, intern)
		if ok != wantOK || ok && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q, pass %d:\ngot  %#v, %v\nwant %#v, %v", text, pass, got, ok, want, wantOK)
		}
		if ok && (p.line != first.line || !reflect.DeepEqual(p.items, first.items)) {
			t.Fatalf("%q, pass %d: the places differ: line %d %v, want line %d %v", text, pass, p.line, p.items, first.line, first.items)
		}
	}
}

// TestParts puts blocks together that begin alike and go on in different ways.
func TestParts(t *testing.T) {
	for _, d := range documents {
		checkParts(t, d)
	}
	blocks := []string{
		"a:\n  b:\n    c: d\n", "a:\n  b:\n    c: d\n    e: f\n", "a:\n  b:\n    c: d\n  e: f\n", "a:\n  b:\n   c: d\n", "a:\n   b:\n     c: d\n   e: f\n",
		"a:\n- c: d\n", "a:\n- c: d\n  e: f\n", "a:\n- c: d\n- c: d\n", "a:\n  - c: d\n", "a:\n  - c: d\n  - c: d\n    e: f\n", "a:\n  b:\n  - c: d\n", "a:\n  b:\n  - c: d\n  e: f\n",
		"a:\n  b:\n    c: d\n      more\n", "a:\n  b:\n    c: \"q\n      r\"\n", "a:\n  b:\n    c: |\n      x\n", "a:\n  b:\n    c: |+\n      x\n", "a:\n  b:\n    c: |+\n      x\n\n",
		"a:\n  b:\n    c:\n", "a:\n  b:\n    c:\n    - d\n", "a:\n  b:\n    c:\n      - d\n", "a:\n  b: {}\n", "a: b\n", "a:\n  b:\n    c: d\n# c\n", "a:\n  b:\n    c: d\n\n", "a:\n  b:\n    c: d\n    # c\n",
		"\n", "# c\n", "    c: d\n", "  - c: d\n", "a:\n  b: &x\n    c: d\n", "a:\n  b:\n    \tc: d\n", "items:\n- c: d\n- c: d\n", "items:\n- a:\n    c: d\n- a:\n    c: d\n",
	}
	random := rand.New(rand.NewPCG(3, 4))
	read := 0
	for range 4000 {
		var b strings.Builder
		for i := range 3 + random.IntN(10) {
			block := blocks[random.IntN(len(blocks))]
			if strings.HasPrefix(block, "a:") {
				block = fmt.Sprintf("k%d", i) + block[1:]
			}
			b.WriteString(block)
		}
		text := b.String()
		if random.IntN(4) == 0 {
			text = text[:len(text)-random.IntN(5)]
		}
		checkParts(t, text)
		if _, _, ok := parseBlock(text, newInterner()); ok {
			read++
		}
	}
	if read < 1000 {
		t.Errorf("only %d texts were read by the block parser", read)
	}
}

func FuzzParts(f *testing.F) {
	for _, d := range documents {
		f.Add(d + d)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			t.Skip()
		}
		checkParts(t, text)
	})
}

func TestJSONParts(t *testing.T) {
	for _, text := range []string{
		`{"x": [{"a": {"b": 1}}, {"a": {"b": 1}}, {"a": {"b": 1}, "c": {}}, {"a": {"b": 2}}, {"a": {"b": 1}}, [1, 2], [1, 2], [1, 2, 3], [1, 2], [], [], {}, {}]}`,
		`{"x": [{"a": {"b": 1, "b": 2}}, {"a": {"b": 1, "b": 2}}, {"a": {"b": 1, "b": 2}}]}`,
		`{"x": [{"a": "]}"}, {"a": "]}"}, {"a": "]}"}, {"a": "]}", "b": "\"}"}]}`,
		`{"x": [{"a": 1}, {"a": 1}, {"a": 1}, {"a": 1 "b"}]}`,
		`{"items": [{"a": {"b": 1}}, {"a": {"b": 1}}, {"a": {"b": 1}}, {"a": {"b": 1}}]}`,
	} {
		plain := &jsonParser{text: text, intern: newInterner()}
		want, wantErr := plain.value()
		intern := sharing.New().(*interner)
		for pass := range 4 {
			p := &jsonParser{text: text, intern: intern}
			got, err := p.value()
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) || p.pos != plain.pos || p.twice != plain.twice || !reflect.DeepEqual(p.items, plain.items) {
				t.Errorf("%s, pass %d:\ngot  %#v, %v, %v\nwant %#v, %v, %v", text, pass, got, err, p.twice, want, wantErr, plain.twice)
			}
		}
	}
}

// TestFixturesAreIndependent makes objects that share parts, and wants what is done to one while it is read to leave the others
// alone: the type that the items of a List inherit, and labels that are null.
func TestFixturesAreIndependent(t *testing.T) {
	const pod = `{"metadata": {"name": "%s", "labels": {"a": null}}, "spec": {"selector": {"a": null}, "template": {"metadata": {"labels": {"a": null}}}}}`
	list := func(kind string) string {
		var items []string
		for i := range 4 {
			items = append(items, fmt.Sprintf(pod, fmt.Sprintf("%s-%d", strings.ToLower(kind), i)), fmt.Sprintf(pod, "same"))
		}
		return fmt.Sprintf(`{"apiVersion": "v1", "kind": "%sList", "items": [%s]}`, kind, strings.Join(items, ","))
	}
	fsys := fstest.MapFS{"f/a.json": {Data: []byte(list("Pod"))}, "f/b.json": {Data: []byte(list("Service"))}}
	plain, _ := LoadFS(fsys, "f")
	shared, findings := LoadFS(fsys, "f", Fixtures())
	if len(findings) > 0 || len(shared) != 16 {
		t.Fatal(len(shared), findings)
	}
	for i := range plain {
		if !reflect.DeepEqual(shared[i].Object, plain[i].Object) {
			t.Errorf("%s:\ngot  %v\nwant %v", plain[i].Position, shared[i].Object, plain[i].Object)
		}
	}
	if labels := shared[0].GetLabels(); labels["a"] != "" || len(labels) != 1 {
		t.Error(labels)
	}
}

// TestFixturesShareParts wants the parts that many objects have in common to be there once.
func TestFixturesShareParts(t *testing.T) {
	for name, data := range vmis(t, 100) {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{name: {Data: data}}
			objects, findings := LoadFS(fsys, name, Fixtures())
			if len(findings) > 0 || len(objects) != 100 {
				t.Fatal(len(objects), findings)
			}
			// Each goroutine that reads learns the parts anew, and has the first two for itself.
			maps := map[uintptr]bool{}
			for _, object := range objects {
				domain := object.Object["spec"].(map[string]any)["domain"].(map[string]any)
				maps[reflect.ValueOf(domain["cpu"]).Pointer()] = true
			}
			if most := 2 * runtime.GOMAXPROCS(0); len(maps) > most {
				t.Errorf("%d machines of one model have %d maps for their CPUs, want %d or less", len(objects), len(maps), most)
			}
			plain, _ := LoadFS(fsys, name)
			for i := range plain {
				if !reflect.DeepEqual(plain[i].Object, objects[i].Object) || plain[i].Position != objects[i].Position {
					t.Fatalf("object %d differs", i)
				}
			}
		})
	}
}
