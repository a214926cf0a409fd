package cluster

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// provider says which part of an API server serves a kind.
type provider string

const (
	builtIn    provider = "built-in"
	aggregated provider = "aggregated"
	custom     provider = "custom"
)

// resource is what discovery knows about a kind.
type resource struct {
	schema.GroupKind
	provider   provider
	plural     string
	namespaced bool
	watchable  bool
	// versions are the served ones, the stored one first.
	versions []string
}

//go:embed catalog.txt
var catalogText string

// catalog gives the bundled kinds. It is parsed once: the resources are shared by all clusters and never changed.
var catalog = sync.OnceValues(func() (map[schema.GroupKind]*resource, error) { return parseCatalog(catalogText) })

func parseCatalog(text string) (map[schema.GroupKind]*resource, error) {
	kinds := map[schema.GroupKind]*resource{}
	section := provider("")
	for number, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
			continue
		case strings.HasPrefix(line, "["):
			section = provider(strings.Trim(line, "[]"))
			continue
		case len(fields) < 4 || (fields[2] != "namespaced" && fields[2] != "cluster"):
			return nil, fmt.Errorf("catalog line %d: want group, versions, scope and kinds, not %q", number+1, line)
		}
		for _, word := range fields[3:] {
			r := parseKind(word)
			r.Group = strings.TrimPrefix(fields[0], "-")
			r.provider = section
			r.versions = strings.Split(fields[1], ",")
			r.namespaced = fields[2] == "namespaced"
			if kinds[r.GroupKind] != nil {
				return nil, fmt.Errorf("catalog line %d: %s is listed twice", number+1, r.GroupKind)
			}
			kinds[r.GroupKind] = r
		}
	}
	return kinds, nil
}

// parseKind reads Kind, Kind=plural, and either of them with a trailing exclamation mark.
func parseKind(word string) *resource {
	word, unwatchable := strings.CutSuffix(word, "!")
	kind, plural, given := strings.Cut(word, "=")
	if !given {
		plural = pluralOf(kind)
	}
	return &resource{GroupKind: schema.GroupKind{Kind: kind}, plural: plural, watchable: !unwatchable}
}

// pluralOf guesses the plural resource name of a kind the way code generators do.
func pluralOf(kind string) string {
	name := strings.ToLower(kind)
	stem, endsInY := strings.CutSuffix(name, "y")
	switch {
	case name == "endpoints":
		return name
	case endsInY && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") && !strings.HasSuffix(stem, "o"):
		return stem + "ies"
	case strings.HasSuffix(name, "s"), strings.HasSuffix(name, "x"), strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"):
		return name + "es"
	}
	return name + "s"
}
