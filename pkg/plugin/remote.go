package plugin

import (
	"regexp"
	"strings"
)

// userAtHost is the beginning of user@host:path and user@host/path.
var userAtHost = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*@[^/:]*[/:](.*)$`)

// isURL tells whether kustomize would fetch a file over HTTP.
func isURL(path string) bool {
	scheme, _, found := strings.Cut(strings.ToLower(path), ":")
	return found && (scheme == "http" || scheme == "https")
}

// isRepository tells whether kustomize would clone a git repository for something that is no file. It can be one of the
// user's directories by name all the same: kustomize does not look.
func isRepository(path string) bool {
	path = strings.ToLower(path)
	path = strings.TrimPrefix(path, "git::")
	if strings.Contains(path, "://") {
		return true
	}
	if strings.HasPrefix(path, "github.com/") || strings.HasPrefix(path, "github.com:") {
		return true
	}
	if m := userAtHost.FindStringSubmatch(path); m != nil {
		return strings.Contains(m[1], "/") || strings.Contains(m[1], ".git")
	}
	return false
}
