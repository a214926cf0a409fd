package templates_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// annotated sets an annotation of a machine.
func annotated(object map[string]any, key string, value any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	annotations[key] = value
	return object
}

func TestOptOut(t *testing.T) {
	out := func(value any) []map[string]any {
		return []map[string]any{annotated(web("192.0.2.1")[0], "policyloom.dev/opt-out", value)}
	}
	runAll(t, []testCase{
		{name: "true", objects: append(out("true"), published("shop/web-corp", "web.example.com", "192.0.2.1")), want: []string{"shop/web-corp must go"}},
		{name: "false", objects: out("false"), want: []string{webA + "192.0.2.1"}},
		{
			name: "in other letters", objects: out("True"),
			want: []string{webA + "192.0.2.1", `warning: the annotation policyloom.dev/opt-out is "True", so the machine takes part`},
		},
		{name: "empty", objects: out(""), want: []string{webA + "192.0.2.1"}},
		{name: "other annotation", spec: "source: {optOutAnnotation: example.com/no-dns}", objects: out("true"), want: []string{webA + "192.0.2.1"}},
		{
			name: "by the annotation of the policy", spec: "source: {optOutAnnotation: example.com/no-dns}",
			objects: []map[string]any{annotated(web("192.0.2.1")[0], "example.com/no-dns", "true")},
		},
		{name: "its name is free for others", objects: append(out("true"),
			created(9, machine("shop/new", asked{"corp": "web.example.com"}, nic("corp", "192.0.2.2")))), want: []string{"shop/new-corp: web.example.com A 192.0.2.2"}},
	})
}

func TestTTLOfAMachine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"1": 1, "60": 60, "86400": 86400, "0": 180, "86401": 180, "99999": 180, "100000": 180, "060": 180, "1h": 180, "-1": 180, " 60": 180, "60\n": 180, "1e3": 180,
	} {
		objects, findings := render(t, policyFor(t, nil), decoded(t, annotated(web("192.0.2.1")[0], "policyloom.dev/ttl", text)))
		if len(objects) != 1 {
			t.Fatal(objects, findings)
		}
		endpoints, _, _ := unstructured.NestedSlice(objects[0].Object.Object, "spec", "endpoints")
		record, _ := endpoints[0].(map[string]any)
		if record["recordTTL"] != want {
			t.Errorf("%q: recordTTL %v", text, record["recordTTL"])
		}
		if refused := want == 180; refused != (len(findings) == 1) {
			t.Errorf("%q: %v", text, findings)
		}
	}
}

func TestRefusedTTL(t *testing.T) {
	runAll(t, []testCase{{
		name: "refused", objects: []map[string]any{annotated(web("192.0.2.1")[0], "policyloom.dev/ttl", "1h")},
		want: []string{webA + "192.0.2.1", `warning: annotation policyloom.dev/ttl: "1h" is not a TTL, so the names of interface "corp" have that of the policy`},
	}})
}

func TestInterfacesThatTakePart(t *testing.T) {
	two := func() []map[string]any {
		return []map[string]any{machine("shop/web", asked{"corp": "a.example.com", "eth7": "b.example.com"}, nic("corp", "192.0.2.1"),
			map[string]any{"interfaceName": "eth7", "name": "lab", "ipAddress": "198.51.100.1"})}
	}
	const a, b = "shop/web-corp: a.example.com A 192.0.2.1", "shop/web-eth7: b.example.com A 198.51.100.1"
	const withoutB = `warning: name "b.example.com" is asked for interface "eth7", which the policy excludes`
	runAll(t, []testCase{
		{name: "exclude by network", spec: "source: {interfaces: {exclude: [lab]}}", objects: two(), want: []string{a, withoutB}},
		{name: "exclude by device", spec: "source: {interfaces: {exclude: ['eth?']}}", objects: two(), want: []string{a, withoutB}},
		{name: "include", spec: "source: {interfaces: {include: ['c*']}}", objects: two(), want: []string{a, withoutB}},
		{name: "include by network what is asked for by device", spec: "source: {interfaces: {include: [lab]}}", objects: two(), want: []string{
			b,
			`warning: name "a.example.com" is asked for interface "corp", which the policy excludes`,
		}},
		{name: "exclude beats include", spec: "source: {interfaces: {include: ['*', lab], exclude: [eth7]}}", objects: two(), want: []string{a, withoutB}},
		{name: "others", spec: "source: {interfaces: {exclude: ['eth', 'la', '*x']}}", objects: two(), want: []string{a, b}},
		{
			name: "blanks", spec: "source: {interfaces: {exclude: ['Ethernet *']}}",
			objects: []map[string]any{machine("shop/web", asked{"corp": "a.example.com"}, map[string]any{"interfaceName": "Ethernet 2", "name": "corp", "ipAddress": "192.0.2.1"})},
			want:    []string{`warning: name "a.example.com" is asked for interface "corp", which the policy excludes`},
		},
		{
			name: "by convention", spec: `{source: {interfaces: {exclude: [corp]}}, names: {convention: "{vm}.example.com"}}`,
			objects: []map[string]any{machine("shop/web", nil, nic("corp", "192.0.2.1"), nic("lab", "198.51.100.1"))},
			want:    []string{"shop/web-lab: web.example.com A 198.51.100.1"},
		},
	})
}

func TestSeveralConventions(t *testing.T) {
	runAll(t, []testCase{{
		name: "aliases", spec: `names: {convention: "{vm}.{namespace}.{domain}, {vm}.example.org", domain: {default: example.com}}`,
		objects: []map[string]any{machine("shop/web", nil, nic("corp", "192.0.2.1"))},
		want:    []string{"shop/web-corp: web.example.org A 192.0.2.1", "shop/web-corp: web.shop.example.com A 192.0.2.1"},
	}})
}
