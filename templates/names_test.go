package templates_test

import (
	"strings"
	"testing"
)

// corpOf is a machine whose interface corp asks for a name.
func corpOf(value string) []map[string]any {
	return []map[string]any{machine("shop/web", asked{"corp": value}, nic("corp", "192.0.2.1"))}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("a", 63)
	invalid := func(name string) []string { return []string{`warning: "` + name + `" is not a domain name`} }
	record := func(name string) string { return "shop/web-corp: " + name + " A 192.0.2.1" }
	tooLong := func(name string) []string {
		return []string{`warning: name "` + name + `" is longer than spec.names.limits allow`}
	}
	runAll(t, []testCase{
		{name: "upper case", objects: corpOf("WEB.Example.COM"), want: []string{record("web.example.com")}},
		{name: "trailing dot", objects: corpOf("web.example.com."), want: []string{record("web.example.com")}},
		{name: "two trailing dots", objects: corpOf("web.example.com.."), want: invalid("web.example.com..")},
		{name: "leading dot", objects: corpOf(".web.example.com"), want: invalid(".web.example.com")},
		{name: "only a dot", objects: corpOf("."), want: invalid(".")},
		{name: "list", objects: corpOf("b.example.com, a.example.com.,\n\tC.example.com"), want: []string{
			record("a.example.com"), record("b.example.com"), record("c.example.com"),
		}},
		{name: "twice", objects: corpOf("a.example.com,A.example.com."), want: []string{record("a.example.com")}},
		{name: "empty entries", objects: corpOf(", a.example.com,,"), want: []string{record("a.example.com")}},
		{name: "empty", objects: corpOf(" "), want: invalid("")},
		{name: "only commas", objects: corpOf(",,"), want: invalid("")},
		{name: "one wrong", objects: corpOf("a.example.com,b_c.example.com,d.example.com"), want: append([]string{
			record("a.example.com"), record("d.example.com"),
		}, invalid("b_c.example.com")...)},
		{name: "blank inside", objects: corpOf("a b.example.com"), want: invalid("a b.example.com")},
		{name: "underscore", objects: corpOf("_sip.example.com"), want: invalid("_sip.example.com")},
		{name: "one label", objects: corpOf("web"), want: invalid("web")},
		{name: "hyphenated label", objects: corpOf("a-b"), want: invalid("a-b")},
		{name: "hyphens", objects: corpOf("a--b.x-1.example.com"), want: []string{record("a--b.x-1.example.com")}},
		{name: "leading hyphen", objects: corpOf("a.-b.example.com"), want: invalid("a.-b.example.com")},
		{name: "trailing hyphen", objects: corpOf("a.b-.example.com"), want: invalid("a.b-.example.com")},
		{name: "empty label", objects: corpOf("a..example.com"), want: invalid("a..example.com")},
		{name: "an address", objects: corpOf("192.0.2.1"), want: invalid("192.0.2.1")},
		{name: "digits first", objects: corpOf("4you.3com.example.com"), want: []string{record("4you.3com.example.com")}},
		{name: "letters outside ASCII", objects: corpOf("bücher.example.com"), want: invalid("bücher.example.com")},
		{name: "letters that look like ASCII", objects: corpOf("\u0430.example.com"), want: invalid("\u0430.example.com")},
		{name: "punycode", objects: corpOf("xn--bcher-kva.example.xn--p1ai"), want: []string{record("xn--bcher-kva.example.xn--p1ai")}},
		{name: "wildcard", objects: corpOf("*.example.com"), want: invalid("*.example.com")},
		{
			name: "a record of its author's choice", objects: corpOf("a.example.com 60 A 192.0.2.250 ; b.example.com"),
			want: invalid("a.example.com 60 A 192.0.2.250 ; b.example.com"),
		},
		{name: "label of 63", spec: "names: {limits: {firstLabel: 63}}", objects: corpOf(long + ".example.com"), want: []string{record(long + ".example.com")}},
		{name: "label of 64", spec: "names: {limits: {firstLabel: 63}}", objects: corpOf("a" + long + ".example.com"), want: invalid("a" + long + ".example.com")},
		{name: "later label of 63", objects: corpOf("web." + long + ".com"), want: []string{record("web." + long + ".com")}},
		{name: "later label of 64", objects: corpOf("web.a" + long + ".com"), want: invalid("web.a" + long + ".com")},
		{name: "first label at the limit", objects: corpOf(long[:58] + ".example.com"), want: []string{record(long[:58] + ".example.com")}},
		{name: "first label over the limit", objects: corpOf(long[:59] + ".example.com"), want: tooLong(long[:59] + ".example.com")},
		{name: "other limit", spec: "names: {limits: {firstLabel: 3}}", objects: corpOf("web.example.com,web1.example.com"), want: append([]string{
			record("web.example.com"),
		}, tooLong("web1.example.com")...)},
		{name: "total at the limit", spec: "names: {limits: {total: 15}}", objects: corpOf("web.example.com"), want: []string{record("web.example.com")}},
		{name: "total over the limit", spec: "names: {limits: {total: 14}}", objects: corpOf("web.example.com"), want: tooLong("web.example.com")},
		{name: "default total", objects: corpOf(name(230) + "," + name(231)), want: append([]string{record(name(230))}, tooLong(name(231))...)},
		{name: "a trailing dot does not count", spec: "names: {limits: {total: 15}}", objects: corpOf("web.example.com."), want: []string{record("web.example.com")}},
	})
}

// name is a domain name of so many characters.
func name(length int) string {
	text := "web" + strings.Repeat(".aaaaaaaaa", length/10)[:length-7]
	return text + ".com"
}

func TestWildcards(t *testing.T) {
	const allowed = "names: {allowWildcards: true}"
	runAll(t, []testCase{
		{name: "allowed", spec: allowed, objects: corpOf("*.example.com"), want: []string{"shop/web-corp: *.example.com A 192.0.2.1"}},
		{name: "inside", spec: allowed, objects: corpOf("a.*.example.com"), want: []string{`warning: "a.*.example.com" is not a domain name`}},
		{name: "twice", spec: allowed, objects: corpOf("*.*.example.com"), want: []string{`warning: "*.*.example.com" is not a domain name`}},
		{name: "of a top-level domain", spec: allowed, objects: corpOf("*.com"), want: []string{`warning: "*.com" is not a domain name`}},
		{name: "alone", spec: allowed, objects: corpOf("*"), want: []string{`warning: "*" is not a domain name`}},
		{
			name: "in an allowed domain", spec: "names: {allowWildcards: true, allowedDomains: [example.com]}", objects: corpOf("*.example.com"),
			want: []string{"shop/web-corp: *.example.com A 192.0.2.1"},
		},
		{
			name: "by convention", spec: `names: {allowWildcards: true, convention: "{vm}.example.com,*.{vm}.example.com"}`,
			objects: []map[string]any{machine("shop/web", nil, nic("corp", "192.0.2.1"))},
			want:    []string{"shop/web-corp: *.web.example.com A 192.0.2.1", "shop/web-corp: web.example.com A 192.0.2.1"},
		},
		{
			name: "outside of it", spec: "names: {allowWildcards: true, allowedDomains: [a.example.com]}", objects: corpOf("*.example.com"),
			want: []string{`warning: name "*.example.com" is in none of the allowed domains`},
		},
	})
}

func TestAllowedDomains(t *testing.T) {
	const spec = "names: {allowedDomains: [example.com, {domain: lab.test, namespaces: [lab-*, qa]}]}"
	at := func(namespace, names string) []map[string]any {
		return []map[string]any{machine(namespace+"/web", asked{"corp": names}, nic("corp", "192.0.2.1"))}
	}
	denied := func(name string) string { return `warning: name "` + name + `" is in none of the allowed domains` }
	runAll(t, []testCase{
		{name: "below and the domain itself", spec: spec, objects: at("shop", "a.b.example.com,example.com"), want: []string{
			"shop/web-corp: a.b.example.com A 192.0.2.1", "shop/web-corp: example.com A 192.0.2.1",
		}},
		{name: "ends alike", spec: spec, objects: at("shop", "badexample.com,example.com.evil.org"), want: []string{
			denied("badexample.com"), denied("example.com.evil.org"),
		}},
		{name: "of the namespace", spec: spec, objects: at("lab-1", "a.lab.test"), want: []string{"lab-1/web-corp: a.lab.test A 192.0.2.1"}},
		{name: "of another namespace", spec: spec, objects: at("shop", "a.lab.test"), want: []string{denied("a.lab.test")}},
		{name: "of a namespace with a longer name", spec: spec, objects: at("qa2", "a.lab.test"), want: []string{denied("a.lab.test")}},
	})
}
