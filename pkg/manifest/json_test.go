package manifest

import (
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/json"
)

var jsonTexts = []string{
	`{}`, `[]`, `null`, `true`, `false`, `"x"`, `0`, `-0`, `-1`, `01`, `1.`, `.5`, `1.0`, `-1.5e3`, `1e5`, `1E+5`, `1e`, `+1`, `0x1`, `1_0`, `Infinity`, `NaN`, `-`, `1e400`,
	`9223372036854775807`, `9223372036854775808`, `-9223372036854775809`, `{"a":1,"b":[1,2.5,"x",null,true,{}]}`, `{"a":1,}`, `[1,]`, `[,]`, `{"a"}`, `{"a":}`, `{a:1}`,
	`"\u00e9\ud83d\ude00\n\/"`, `"\ud83d"`, `"\x"`, `"\u12"`, `"a` + "\n" + `b"`, `"a` + "\t" + `b"`, `"open`, `"\`, `tru`, `nullx`, `[1 2]`, `{"a":1 "b":2}`, ` [ 1 , 2 ] `, `{"a":{"b":{"c":[[[]]]}}}`,
	"\"a\u2028b\"", "\"a\x7fb\"", `{"":1}`, `}`, `]`, `[}`, ``, ` `, `1 2`, "\x00", `{"a":1}` + "\x00",
}

func checkJSON(t *testing.T, text string) {
	t.Helper()
	var want any
	wantErr := json.UnmarshalCaseSensitivePreserveInts([]byte(text), &want)
	p := &jsonParser{text: text, intern: newInterner()}
	got, err := p.value()
	if p.space(); err == nil && p.pos < len(text) {
		err = p.errorf("more text")
	}
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("%q: error %v, Kubernetes says %v", text, err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q:\ngot  %#v\nwant %#v", text, got, want)
	}
	if err == nil && jsonTree(text) == nil {
		t.Fatalf("%q: no tree", text)
	}
}

func TestJSONParity(t *testing.T) {
	for _, text := range jsonTexts {
		checkJSON(t, text)
	}
	checkJSON(t, strings.Repeat("[", 9000)+strings.Repeat("]", 9000))
	checkJSON(t, strings.Repeat("[", 11000)+strings.Repeat("]", 11000))
}

func FuzzJSONParity(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ToValidUTF8(text, "") != text {
			t.Skip() // refused before, for the whole file
		}
		checkJSON(t, text)
	})
}
