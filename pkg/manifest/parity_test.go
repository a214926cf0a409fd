package manifest

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	k8syaml "k8s.io/apimachinery/pkg/util/yaml"
)

// reference reads a document as Kubernetes does.
func reference(text string) (value any, err error) {
	err = k8syaml.Unmarshal([]byte(text), &value)
	return value, err
}

// checkParity compares both YAML parsers with the reference.
func checkParity(t *testing.T, text string) {
	t.Helper()
	want, wantErr := reference(text)
	got, err := parseYAML(text)
	if twice := (*twiceError)(nil); errors.As(err, &twice) {
		return // the reference takes either of the two values, at random
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%q:\nerror %v, Kubernetes says %v", text, err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q:\ngot  %#v\nwant %#v", text, got, want)
	}
	fast, _, ok := parseBlock(text, newInterner())
	if !ok {
		return
	}
	if wantErr != nil {
		t.Fatalf("%q:\nthe block parser gives %#v, Kubernetes the error %v", text, fast, wantErr)
	}
	if !reflect.DeepEqual(any(fast), want) {
		t.Fatalf("%q:\nblock parser %#v\nKubernetes   %#v", text, fast, want)
	}
}

var scalars = []string{
	"", "yes", "No", "on", "OFF", "y", "N", "true", "TRUE", "tRUE", "null", "~", "Null", "none", "nullx",
	"0", "1", "-1", "+1", "0123", "08", "0o17", "0x1F", "0b101", "0b-1", "-0b11", "0b", "1_000", "1__0", "_1", "-", "+", "--1", "-_1",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
	"18446744073709551616", "123456789012345678901234567890",
	"1.0", "1.5", "-0.0", "-0", "1e3", "1E3", "1e21", "1e20", "1e19", "1e-7", "1.", ".5", "-.5", "+.5e3", ".", "..", ".e1", "1e", "1e+",
	"1e400", "1.2345678901234567e18", "0.1e1", "1_0.5", "0x1p4", "1e_5", "1e1_0", ".1_0", ".inf", "-.inf", ".nan", "+.INF", ".Inf",
	"10.128.2.150", "192.168.1.1/24", "fe80::1", "02:00:5e:00:00:01", "1:20", "2001-01-01", "2001-12-14t21:59:43.10-05:00",
	"2025-11-01T10:00:00Z", "12345678-1234-1234-1234-1234567890ab", "0200-5e", "1e3-4", "100m", "10Gi", "0b1c", "0xfg",
	"v1", "kubevirt.io/v1", "a b", "a  b", "a #b", "a#b", "a: b", "a:b", "a:", "- a", "-a", "?", "? a", "!!str 1", "!!int \"3\"",
	"!!float 3", "!!binary aGk=", "!!binary /w==", "!custom x", "&a x", "*a", "@x", "`x", "%x", "|", ">", "{}", "[]", "{a: 1}", "[1, yes]", "{ }",
	"\"a\\nb\"", "\"\\x41\\u00e9\\U0001F600\"", "\"\\ud83d\"", "\"\\/\"", "\"\\e\\0\\a\"", "\"a\" b", "\"a\"#b", "\"a\" #b", "'it''s'", "'a", "''", "\"\"",
	"''''", "'a' 'b'", "ümlaut", "日本", "\u00a0", "a\u0085b", "a\u2028b", "a\ufeffb", "a\tb", "\ta", "\"a\tb\"", "a\x01b", "=", "<<", "<x", "~x", "$a", "\\a", "(a)",
	"\"foo\n    bar\"", "\"foo  \n\n    \\  bar\"", "'foo\n\n\n    bar '", "foo\n    bar", "foo\n\n    bar", "foo\n    bar: x", "foo # x\n    bar",
	"foo\n    # c\n    bar", "foo\n    - bar", "foo\nbar", "\"foo\nbar\"", "\"foo\\\n    bar\"", "\"a\n  \"",
	"|\n    a\n    b\n", "|-\n    a\n\n      b\n\n", "|+\n    a\n\n\n", "|\n\n    a\n", "|\n      \n    a\n", "|\n    a\n   b\n", "|\n    a\n  # c\n",
	"|\n    \ta\n", "|\n\ta\n", "|2\n    a\n", "|2\n      a\n    b\n   c\n", "|4+\n\n      a\n    b\n\n\n", "|1\n \n  \n   \n    a\n", "|9\n   a\n", "|0\n    a\n", "|2-\n    a\n", "|-2\n    a\n", "| # c\n    a\n", "|\n", "|\n    a", "|+\n    a", "|\n    a\n  ", "|\n    a\n        ", ">\n    a\n    b\n",
	">-\n    a\n\n    b\n", "|\n   a\n    b\n   c\n", "|\n    a\n\t\n", "|\n  a\n",
}

func TestScalarParity(t *testing.T) {
	for _, s := range scalars {
		checkParity(t, "k: "+s)
		checkParity(t, "k: "+s+"\nnext: 1\n")
		checkParity(t, "k:\n  "+s+"\n")
		checkParity(t, "- "+s+"\n")
		checkParity(t, "l:\n- "+s+"\n- x\n")
		checkParity(t, "l:\n  - "+s+"\n  - k: "+s+"\n    z: "+s+"\n")
		checkParity(t, "m:\n  k: "+s+"\n  n: 2\no: 3\n")
		if !strings.Contains(s, "\n") {
			checkParity(t, s+": v\n")
			checkParity(t, "m:\n  "+s+": v\n  b: c\n")
		}
	}
}

var documents = []string{
	"items:\n- a: {b: c}\n- d: e\n", "items:\n- a: \"x\n- y\"\n- d: {e: f}\n", "items:\n  - a: {b: c}\n  # c\n  - d: [e]\n  -\n    f: {g: 1}\nz: 1\n", "items:\n- a: &x {b: c}\n- d: *x\n",
	"items:\n- a: [b,\n- c]\n- d: e\n", "items:\n- {a: b}\n- [c]\n- 1: 2\n", "  items:\n  - a: >\n      b\n      c\n  - d\n  e: f\n", "items:\n- a: {b: c}\n\n# x\n\n", "items:\n- a: {b: c}", "items:\n- a: {b: c, b: d}\n- x\n",
	"items:\n- a: 'b\n# c'\n- d: {}\n", "items:\n- >\n a\n b\n- c\n", "items:\n- a: b\n  c: {d: e\n}\n- f\n", "items:\n- <<: {a: b}\n- c\n",
	"a:\n- b\n-\n- c: d\n  e: f\n-   g: h\n    i: j\n", "a:\n  - b\n  -\n    c: d\n  - - e\n", "a:\n  b:\n   c: d\n  e: f\n", "a:\n  b: c\n d: e\n",
	"  a: b\n  c: d\n", "  a: b\n c: d\n", "a: b\n  c: d\n", "a:\n- b\n  - c\n", "a:\n  - b\n- c\n", "# c\na: b # d\n\n# e\n", "a: &x\n  b: c\nd: *x\n",
	"a: &x {b: c}\nd:\n  <<: *x\n  b: e\n", "d:\n  b: e\n  <<: {b: c, f: g}\n", "d:\n  <<: [{a: 1}, {a: 2, b: 3}]\n", "a: b\na: c\n", "1: a\n\"1\": b\n",
	"? a\n: b\n", "a : b\n", "\"a\": b\n'c': d\n\"e\":f\n", "\"a\\\"b\": c\n", "a:\n\tb: c\n", "\ta: b\n", "a: b\n\t\nc: d\n", "a:\n  - b: c\n    d:\n    - e\n    f: g\n",
	"items:\n- a: 1\n\n# x\n- b: 2\nkind: List\n", "a:\n#x\n  b: c\n", "a: #x\n  b: c\n", "a: |\n  x\n# y\nb: c\n", "- a\n- b\n", "just text\n", "a:\n  b\n", "a:\n  \"b\"\n",
	"{\"a\": 1.0, \"b\": [1e3]}", "a: b\n...\n", "%YAML 1.1\n---\na: b\n", "a: 'x\n\n  y'\nb: 1\n", "a:\n  b:\n    c:\n      - d\n  e: f\n", "a:\n -b: c\n", "-a: b\n",
	"~: a\n", "y: a\n", "a:\n  - b:\n    c\n", "- - a\n  - b\n", "a:\n  - b:\n    - c\n  -  d: e\n     f: g\n", "a:\n- # c\n  b: d\n", "a:\n-\n  b: c\n", "a:\n-\nb: c\n",
}

func TestDocumentParity(t *testing.T) {
	for _, d := range documents {
		checkParity(t, d)
	}
}

func FuzzYAMLParity(f *testing.F) {
	for _, d := range documents {
		f.Add(d)
	}
	for _, s := range scalars {
		f.Add("a:\n- k: " + s + "\n  l: " + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			t.Skip()
		}
		checkParity(t, text)
	})
}

// TestRandomParity puts documents together from lines that the block parser knows, at random indentations.
func TestRandomParity(t *testing.T) {
	lines := []string{
		"a: 1", "b:", "- c", "- d: e", "-", "- f:", "\"g\": 'h'", "i: \"j", "k\"", "l: 'm", "n'", "o: |", "ii: |2", "jj: {kk: ll}", "mm: [nn,", "oo]", "pp: &qq rr", "ss: *qq", "- >", "tt: !!str 3", "- |1-", "p: |-", "q: |+", "text", "# comment", "",
		"r: s # t", "u: []", "v: {}", "- []", "w: yes", "x: 10.0", "- |", "- \"y\"", "  ", "items:", "- - z", "aa: bb: cc", "dd: ee\\", "- 'ff'", "- gg: |", "hh:  ii  ",
	}
	random := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 8000 {
		var b strings.Builder
		indent := 0
		for range 1 + random.IntN(8) {
			switch random.IntN(4) {
			case 0:
				indent += 1 + random.IntN(2)
			case 1:
				indent = random.IntN(indent + 1)
			}
			b.WriteString(strings.Repeat(" ", indent) + lines[random.IntN(len(lines))] + "\n")
		}
		text := b.String()
		if random.IntN(3) == 0 {
			text = "items:\n- x: y\n" + text
		}
		if random.IntN(8) == 0 {
			text = text[:len(text)-1]
		}
		checkParity(t, text)
		if _, _, ok := parseBlock(text, newInterner()); ok {
			read++
		}
	}
	if read < 100 {
		t.Errorf("only %d documents were read by the block parser", read)
	}
}
