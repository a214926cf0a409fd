package dnsplan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/miekg/dns"
	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"

	"github.com/policyloom/policyloom/pkg/diag"
)

// plainConfig names ownership records as external-dns does without a prefix and suffix.
var plainConfig = externaldns.NewConfig()

// ReadZones reads a file of zones: our own YAML, the JSON of "aws route53 list-resource-record-sets", or a zone file of BIND. The
// name is that of the zone, which a zone file may leave open; it may be empty.
func ReadZones(fsys fs.FS, file, name string) ([]StartZone, diag.Findings) {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return nil, failed(file, 0, "cannot be read: "+err.Error(), "")
	}
	switch strings.ToLower(path.Ext(file)) {
	case ".yaml", ".yml":
		if name != "" {
			return nil, failed(file, 0, "says itself which zones it holds", "leave "+name+"= out")
		}
		return zonesFromYAML(file, data)
	case ".json":
		return zoneFromRoute53(file, name, data)
	default:
		return zoneFromText(file, name, data)
	}
}

func failed(file string, line int, message, hint string) diag.Findings {
	return diag.Findings{{Severity: diag.Error, Position: diag.Position{File: file, Line: line}, Message: message, Hint: hint}}
}

// ownTypes belong to the zone itself, and external-dns never sees them.
var ownTypes = []string{"SOA", "RRSIG", "NSEC", "NSEC3", "NSEC3PARAM", "DNSKEY", "CDS", "CDNSKEY"}

var zoneLine = regexp.MustCompile(`^dns: (.*) at line: ([0-9]+):[0-9]+$`)

// zoneFromText reads a zone file.
func zoneFromText(file, name string, data []byte) ([]StartZone, diag.Findings) {
	origin := ""
	if name != "" {
		origin = dns.Fqdn(name)
	}
	parser := dns.NewZoneParser(bytes.NewReader(data), origin, "")
	set := recordSets{index: map[recordKey]int{}}
	for rr, ok := parser.Next(); ok; rr, ok = parser.Next() {
		header := rr.Header()
		recordType := dns.TypeToString[header.Rrtype]
		if recordType == "SOA" && name == "" {
			name = strings.TrimSuffix(header.Name, ".")
		}
		if !slices.Contains(ownTypes, recordType) {
			set.add(plainName(header.Name), recordType, int64(header.Ttl), targetOf(rr))
		}
	}
	if err := parser.Err(); err != nil {
		message, line, hint := err.Error(), 0, ""
		if parts := zoneLine.FindStringSubmatch(message); parts != nil {
			message = parts[1]
			line, _ = strconv.Atoi(parts[2])
		}
		if origin == "" && strings.Contains(message, "name") {
			hint = "if its names are relative, write --zone-file example.com=" + file
		}
		return nil, failed(file, line, message, hint)
	}
	if name == "" {
		return nil, failed(file, 0, "does not say which zone it holds: it has no SOA record", "write --zone-file example.com="+file)
	}
	zone := set.zone(file, name)
	return []StartZone{zone}, nil
}

// targetOf gives what a record says, as external-dns writes it.
func targetOf(rr dns.RR) string {
	switch r := rr.(type) {
	case *dns.A:
		return r.A.String()
	case *dns.AAAA:
		return r.AAAA.String()
	case *dns.TXT:
		return `"` + strings.Join(r.Txt, "") + `"`
	case *dns.CNAME:
		return strings.TrimSuffix(r.Target, ".")
	case *dns.NS:
		return strings.TrimSuffix(r.Ns, ".")
	case *dns.PTR:
		return strings.TrimSuffix(r.Ptr, ".")
	case *dns.MX:
		return fmt.Sprintf("%d %s", r.Preference, strings.TrimSuffix(r.Mx, "."))
	default:
		return strings.TrimPrefix(rr.String(), rr.Header().String())
	}
}

// plainName takes the escapes out of a name that a wildcard has in files, and the final dot.
func plainName(name string) string {
	return strings.TrimSuffix(strings.ReplaceAll(name, `\052`, "*"), ".")
}

// recordSets joins records of one name and type.
type recordSets struct {
	list  []StartRecord
	index map[recordKey]int
}

func (s *recordSets) add(name, recordType string, ttl int64, target string) {
	key := recordKey{canonical(name), recordType, ""}
	at, there := s.index[key]
	if !there {
		at = len(s.list)
		s.index[key] = at
		s.list = append(s.list, StartRecord{Name: name, Type: recordType, TTL: ttl})
	}
	if !slices.Contains(s.list[at].Targets, target) {
		s.list[at].Targets = append(s.list[at].Targets, target)
	}
}

// zone leaves out the name servers of the zone itself.
func (s *recordSets) zone(file, name string) StartZone {
	zone := StartZone{Name: name, Position: diag.Position{File: file}}
	for _, record := range s.list {
		if record.Type == endpoint.RecordTypeNS && canonical(record.Name) == canonical(name) {
			continue
		}
		record.Position = zone.Position
		zone.Records = append(zone.Records, record)
	}
	return zone
}

// route53Sets is what "aws route53 list-resource-record-sets" prints.
type route53Sets struct {
	ResourceRecordSets []struct {
		Name, Type, SetIdentifier string
		TTL                       int64
		ResourceRecords           []struct{ Value string }
		AliasTarget               *struct{ DNSName string }
	}
}

// zoneFromRoute53 reads the record sets of a hosted zone. Alias records count as CNAMEs, as external-dns asks for them.
func zoneFromRoute53(file, name string, data []byte) ([]StartZone, diag.Findings) {
	var sets route53Sets
	if err := json.Unmarshal(data, &sets); err != nil {
		return nil, failed(file, 0, err.Error(), "")
	}
	if sets.ResourceRecordSets == nil {
		return nil, failed(file, 0, "holds no ResourceRecordSets", `save what "aws route53 list-resource-record-sets" prints`)
	}
	zone := StartZone{Position: diag.Position{File: file}}
	aliases := map[recordKey]bool{}
	for _, set := range sets.ResourceRecordSets {
		if set.Type == "SOA" && name == "" {
			name = plainName(set.Name)
		}
		record := StartRecord{Name: plainName(set.Name), Type: set.Type, SetIdentifier: set.SetIdentifier, TTL: set.TTL, Position: zone.Position}
		for _, value := range set.ResourceRecords {
			target := value.Value
			switch set.Type {
			case endpoint.RecordTypeTXT, endpoint.RecordTypeSRV, endpoint.RecordTypeNAPTR:
			default:
				target = strings.TrimSuffix(target, ".")
			}
			record.Targets = append(record.Targets, target)
		}
		if set.AliasTarget != nil {
			record.Type, record.Targets = endpoint.RecordTypeCNAME, []string{strings.TrimSuffix(set.AliasTarget.DNSName, ".")}
			key := recordKey{canonical(record.Name), record.Type, record.SetIdentifier}
			if aliases[key] {
				// A and AAAA of one alias.
				continue
			}
			aliases[key] = true
		}
		if !slices.Contains(ownTypes, set.Type) {
			zone.Records = append(zone.Records, record)
		}
	}
	if name == "" {
		return nil, failed(file, 0, "does not say which zone it holds: it has no SOA record", "write --zone-file example.com="+file)
	}
	zone.Name = name
	zone.Records = slices.DeleteFunc(zone.Records, func(r StartRecord) bool {
		return r.Type == endpoint.RecordTypeNS && canonical(r.Name) == canonical(name)
	})
	return []StartZone{zone}, nil
}
