package templatetext

import "testing"

func TestField(t *testing.T) {
	t.Parallel()
	const raw = `{"a":{"x.y":["one","two"]},"b":"first\nsecond\nthird\n","c":"last"}`
	for _, c := range []struct {
		line, column int
		field        string
		fieldLine    int
	}{
		{1, 0, "", 0},
		{3, 0, `a["x.y"][0]`, 0},
		{4, 0, `a["x.y"][1]`, 0},
		{6, 0, "b", 1},
		{8, 0, "b", 3},
		{9, 0, "c", 0},
	} {
		if field, line := Field([]byte(raw), c.line, c.column); field != c.field || line != c.fieldLine {
			t.Errorf("line %d: got %q line %d, want %q line %d", c.line, field, line, c.field, c.fieldLine)
		}
	}
	for _, hostile := range []string{"", "{", "null", "[]", `"x"`, `{"a":"{{ 1 | toInt }}"}`} {
		if field, line := Field([]byte(hostile), 1, 0); field != "" || line != 0 {
			t.Errorf("%q: got %q line %d", hostile, field, line)
		}
	}
}
