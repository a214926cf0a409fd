package dnsplan

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/plan"
)

func testZones(t *testing.T, args ...string) *zones {
	t.Helper()
	i, findings := newInstance(Settings{Cluster: "c1", Args: args})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return &zones{
		world: world{"example.com": newZone(), "sub.example.com": newZone(), "ample.com": newZone()}, instance: i,
		log: map[recordKey][]event{}, refused: map[*instance]map[recordKey]string{}, touched: records{},
	}
}

func TestZoneOf(t *testing.T) {
	t.Parallel()
	p := testZones(t)
	for name, want := range map[string]string{
		"a.example.com": "example.com", "example.com": "example.com", "A.Example.Com.": "example.com", "a.sub.example.com": "sub.example.com",
		"xsub.example.com": "example.com", "myexample.com": "", "ample.com": "ample.com", "a.ample.com": "ample.com", "com": "", "": "", ".": "",
	} {
		if got := p.world.zoneOf(name, p.instance.sees); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	p = testZones(t, "--domain-filter=example.com")
	if p.instance.sees("ample.com") || !p.instance.sees("sub.example.com") {
		t.Error("the domain filter does not count")
	}
}

// TestZonesAreStrict writes records that a DNS server refuses.
func TestZonesAreStrict(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	record := func(name, recordType string, targets ...string) *endpoint.Endpoint {
		return &endpoint.Endpoint{DNSName: name, RecordType: recordType, Targets: targets}
	}
	p := testZones(t)
	apply := func(changes plan.Changes) {
		if err := p.ApplyChanges(context.Background(), &changes); err != nil {
			t.Fatal(err)
		}
	}
	apply(plan.Changes{Create: []*endpoint.Endpoint{
		record("alias.example.com", "CNAME", "one.example.net"), record("host.example.com", "A", "192.0.2.1").WithLabel("owner", "me"),
		record("*.example.com", "A", "192.0.2.1"), record("_sip._tcp.example.com", "SRV", "0 0 1 a."),
	}})
	for _, c := range []struct {
		record *endpoint.Endpoint
		want   string
	}{
		{record("alias.example.com", "A", "192.0.2.1"), "the name has a CNAME"},
		{record("host.example.com", "CNAME", "one.example.net"), "the name has records of other types"},
		{record("host.example.com", "A", "192.0.2.2"), "it exists already"},
		{record("two.example.com", "CNAME", "one.example.net", "two.example.net"), "one target only"},
		{record("example.com", "CNAME", "one.example.net"), "the name of the zone itself"},
		{record("none.example.com", "A"), "no targets"},
		{record("a..example.com", "A", "192.0.2.1"), "a label of the name is empty"},
		{record("a.*.example.com", "A", "192.0.2.1"), "the character '*'"},
		{record("a b.example.com", "A", "192.0.2.1"), "the character ' '"},
		{record("ü.example.com", "A", "192.0.2.1"), "the character 'ü'"},
		{record(long+".example.com", "A", "192.0.2.1"), "more than 63"},
		{record(strings.Repeat("a.", 130)+"example.com", "A", "192.0.2.1"), "more than 253"},
		{record("a.example.net", "A", "192.0.2.1"), noZone},
		{record("", "A", "192.0.2.1"), "the name is empty"},
		{&endpoint.Endpoint{DNSName: "ttl.example.com", RecordType: "A", Targets: []string{"192.0.2.1"}, RecordTTL: 1 << 31}, "the TTL 2147483648 is too large"},
	} {
		before := p.changes
		apply(plan.Changes{Create: []*endpoint.Endpoint{c.record}})
		if got := p.refused[p.instance][keyOf(c.record)]; !strings.Contains(got, c.want) || p.changes != before {
			t.Errorf("%s: %q, want %q", c.record, got, c.want)
		}
	}
	list, err := p.Records(context.Background())
	if err != nil || len(list) != 4 {
		t.Fatal(list, err)
	}
	for _, e := range list {
		if len(e.Labels) > 0 {
			t.Errorf("%s keeps the labels %v", e, e.Labels)
		}
		e.Targets[0] = "changed"
	}
	if again, _ := p.Records(context.Background()); strings.Contains(again[0].String()+again[1].String(), "changed") {
		t.Error("the records are shared with those who read them")
	}
	// A name may change its type in one go.
	apply(plan.Changes{
		Delete: []*endpoint.Endpoint{record("alias.example.com", "CNAME", "one.example.net"), record("host.example.com", "A", "192.0.2.1")},
		Create: []*endpoint.Endpoint{record("alias.example.com", "A", "192.0.2.1"), record("host.example.com", "CNAME", "one.example.net")},
	})
	if p.world.find(recordKey{"alias.example.com", "A", ""}) == nil || p.world.find(recordKey{"host.example.com", "CNAME", ""}) == nil {
		t.Error("a name cannot change its type")
	}
}

func TestUpperCaseForRFC2136(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"a.Example.com": "root zone", "a.example.com.": "root zone", "a.example.com": ""} {
		for provider, refused := range map[string]bool{"rfc2136": true, "aws": false} {
			if got := nameFault(name, "A", provider); (got != "") != (refused && want != "") || !strings.Contains(got, want) && refused {
				t.Errorf("%s on %s: %q", name, provider, got)
			}
		}
	}
}

// FuzzReadZones checks that whatever is in a file gives zones that can be used, or errors with a place.
func FuzzReadZones(f *testing.F) {
	f.Add("z.zone", "$ORIGIN example.com.\n@ IN SOA a b 1 1 1 1 1\nweb 60 IN A 192.0.2.1\n*.x IN TXT \"a\" \"b\"\n")
	f.Add("z.zone", "$INCLUDE /etc/passwd\n$GENERATE 1-9 a$ A 192.0.2.$\n")
	f.Add("z.json", `{"ResourceRecordSets": [{"Name": "\\052.a.", "Type": "A", "AliasTarget": {"DNSName": ""}}, {"Type": "SOA", "Name": "a."}]}`)
	f.Add("z.yaml", "zone: a\nrecords: [{name: b.a, type: A, targets: [x], owner: o}]\n---\nzone: 1\n")
	f.Fuzz(func(t *testing.T, file, text string) {
		if !strings.HasPrefix(file, "z.") || strings.ContainsAny(file, "/\\\x00") {
			return
		}
		list, findings := ReadZones(fstest.MapFS{file: {Data: []byte(text)}}, file, "")
		for _, finding := range findings {
			if finding.File != file {
				t.Errorf("%v", finding)
			}
		}
		w, faults := newWorld(list)
		if !findings.HasErrors() && !faults.HasErrors() {
			checkRules(t, 0, w)
		}
	})
}
