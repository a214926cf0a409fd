// Package acm knows what the releases of Red Hat Advanced Cluster Management differ in: which template functions their engines
// have.
package acm

import (
	"maps"
	"slices"
	"strings"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
)

// Release is a release of Red Hat Advanced Cluster Management, as 2.12.
type Release string

// Releases are all that are known, oldest first, with the release of go-template-utils in each. They are those of the release
// branches of the config-policy-controller.
func Releases() []Release {
	releases := make([]Release, 0, len(engines))
	for _, e := range engines {
		releases = append(releases, e.release)
	}
	return releases
}

var engines = []struct {
	release Release
	engine  string
	// functions are the generation that the engine's functions are of.
	functions generation
}{
	{"2.9", "v4.0.0", first},
	{"2.10", "v4.0.0", first},
	{"2.11", "v4.3.0", dictionaries},
	{"2.12", "v6.3.0", dictionaries},
	{"2.13", "v7.0.3", documents},
	{"2.14", "v7.0.4", documents},
	{"2.15", "v7.1.0", lists},
	{"2.16", "v7.2.0", everything},
	{"2.17", "v7.2.0", everything},
}

// generation is a set of functions, in which those of the generations before it are.
type generation int

const (
	first generation = iota
	dictionaries
	documents
	lists
	everything
)

// builtin are the functions of text/template and of the engine that all releases have.
const builtin = "and or not len index slice print printf println html js call urlquery eq ne lt le gt ge break continue " +
	"lookup fromConfigMap fromSecret copyConfigMapData copySecretData fromClusterClaim base64enc base64dec autoindent indent atoi toInt toBool " +
	"toLiteral protect skipObject"

// added are the functions that each generation adds.
var added = map[generation]string{
	first: builtin + " add append cat concat contains date default dig div empty fromJson has hasPrefix hasSuffix htpasswd join list lower " +
		"mul mustAppend mustFromJson mustHas mustPrepend mustSlice mustToDate mustToRawJson now prepend quote replace round semver semverCompare " +
		"split splitn sub substr ternary toDate toRawJson trim trimAll trunc until untilStep upper",
	dictionaries: "dict get hasKey merge mustMerge mustRegexFind mustRegexFindAll mustRegexMatch regexFind regexFindAll regexMatch regexQuoteMeta set unset",
	documents:    "fail fromYaml getNodesWithExactRoles hasNodesWithExactRoles mustToJson toJson toYaml",
	lists:        "keys lookupClusterClaim sortAlpha splitList values",
}

var generations = func() map[string]generation {
	all := map[string]generation{}
	for _, name := range templates.AvailableSprigFunctions() {
		all[name] = everything
	}
	for g := everything - 1; g >= first; g-- {
		for name := range strings.FieldsSeq(added[g]) {
			all[name] = g
		}
	}
	return all
}()

// Functions are the names of all template functions, in the order of the alphabet.
func Functions() []string { return slices.Sorted(maps.Keys(generations)) }

// Since gives the first release that has a function; known is false if there is none.
func Since(function string) (release Release, known bool) {
	g, known := generations[function]
	if !known {
		return "", false
	}
	for _, e := range engines {
		if e.functions >= g {
			return e.release, true
		}
	}
	return "", false
}

// Has tells whether a release has a function.
func (r Release) Has(function string) bool {
	g, known := generations[function]
	for _, e := range engines {
		if e.release == r {
			return known && e.functions >= g
		}
	}
	return false
}
