package crds

import "strings"

// fileOf gives the name of the file of a definition.
func fileOf(name string) string {
	plural, _, _ := strings.Cut(name, ".")
	return plural + ".yaml"
}
