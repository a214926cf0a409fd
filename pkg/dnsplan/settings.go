package dnsplan

import (
	"regexp"
	"strconv"

	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/source/annotations"

	"github.com/policyloom/policyloom/pkg/diag"
)

// Settings say how one external-dns runs on a cluster.
type Settings struct {
	// Cluster is the managed cluster that it runs on.
	Cluster string
	// Name tells several of a cluster apart, such as namespace/name of a Deployment. It may be empty.
	Name string
	// Version is that of external-dns, such as 0.21 or v0.21.0; empty stands for the version that is linked in.
	Version string
	// Args are the arguments, as in --txt-owner-id=prod-1.
	Args []string
	// Env holds the variables of the environment that external-dns takes arguments from, such as EXTERNAL_DNS_POLICY.
	Env map[string]string
	// Complete says that the arguments are all that external-dns gets. Else a provider and a source are filled in.
	Complete bool
	// Assumed says that nobody wrote the settings down.
	Assumed bool
	// Position and Object are where the settings come from.
	Position diag.Position
	Object   string
}

// instance is one external-dns, ready to run.
type instance struct {
	settings Settings
	version  version
	config   *externaldns.Config
	filter   *endpoint.DomainFilter
	// policySet and prefixSet tell whether the arguments name a policy and an annotation prefix.
	policySet, prefixSet bool
	// desired is what the cluster's objects ask it for.
	desired []tracked
	wants   []*want
	// keeps tells of the resource in an ownership record whether it is one that is not simulated, so that its records stay.
	keeps func(resource string) bool
}

// name is what messages call it: the cluster, and what tells it apart where there are several.
func (i *instance) name() string {
	if i.settings.Name == "" {
		return i.settings.Cluster
	}
	return i.settings.Cluster + " (" + i.settings.Name + ")"
}

// owner is the owner id, empty where nothing is owned.
func (i *instance) owner() string {
	if i.config.Registry == externaldns.RegistryNoop {
		return ""
	}
	return i.config.TXTOwnerID
}

func (i *instance) finding(severity diag.Severity, message, hint string) diag.Finding {
	return diag.Finding{
		Severity: severity, Position: i.settings.Position, Cluster: i.settings.Cluster, Object: i.settings.Object,
		Message: message, Hint: hint,
	}
}

// version is a release of external-dns.
type version struct{ minor, patch int }

// linked is the release whose planner, registry and flags are in the program.
var linked = version{21, 0}

var versionPattern = regexp.MustCompile(`^v?0\.([0-9]{1,3})(?:\.([0-9]{1,3}))?(?:[-+].*)?$`)

// parseVersion reads a version such as v0.21.0, or the linked one where there is none.
func parseVersion(text string) (version, bool) {
	if text == "" {
		return linked, true
	}
	parts := versionPattern.FindStringSubmatch(text)
	if parts == nil {
		return linked, false
	}
	minor, _ := strconv.Atoi(parts[1])
	patch, _ := strconv.Atoi(parts[2])
	return version{minor, patch}, true
}

func (v version) String() string { return "0." + strconv.Itoa(v.minor) + "." + strconv.Itoa(v.patch) }

// mergesObjects tells whether the crd source joins the targets of several objects that ask for one name.
func (v version) mergesObjects() bool { return v.minor >= 21 }

// needsPolicy tells whether external-dns does not start without --policy.
func (v version) needsPolicy() bool { return v.minor >= 22 }

// losesAnnotated tells whether the crd source gives nothing under --annotation-filter.
func (v version) losesAnnotated() bool { return v == version{22, 0} }

// gaPrefix is the annotation prefix from 0.22 on.
const gaPrefix = "external-dns.kubernetes.io/"

// prefix is the prefix of annotations that counts unless the arguments name one.
func (v version) prefix() string {
	if v.minor >= 22 {
		return gaPrefix
	}
	return annotations.DefaultAnnotationPrefix
}
