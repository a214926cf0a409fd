package dnsplan

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/external-dns/apis/v1alpha1"
	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/source/annotations"
	"sigs.k8s.io/json"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// crdEndpoints gives what the crd source makes of DNSEndpoints. It is written after the source, whose package is too large to be
// linked in; a test compares the two.
func (i *instance) crdEndpoints(objects []manifest.Object) ([]tracked, diag.Findings) {
	var list []tracked
	var findings diag.Findings
	selected, err := i.selector(true)
	if err != nil {
		return nil, diag.Findings{i.finding(diag.Error, err.Error(), "")}
	}
	for _, object := range objects {
		spec, err := decodeEndpoints(object)
		if err != nil {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: object.Position, Cluster: i.settings.Cluster, Object: manifest.Reference(object.Unstructured),
				Message: "cannot be read: " + err.Error(), Hint: "an API server would refuse it",
			})
			continue
		}
		read := selected(object)
		for n, e := range spec.Endpoints {
			if e == nil {
				continue
			}
			t := i.crdEndpoint(object, n, e)
			i.wants = append(i.wants, t.wants...)
			if !read {
				t.lose(Filtered, "external-dns leaves the DNSEndpoint out by its namespace, labels or annotations")
				continue
			}
			if i.version.losesAnnotated() && i.config.AnnotationFilter != "" {
				t.lose(Filtered, "external-dns 0.22.0 reads no DNSEndpoint where it has an --annotation-filter")
				continue
			}
			if target, fixed := illegalTarget(e); fixed != "" {
				t.lose(Rejected, fmt.Sprintf("external-dns skips it for the target %q: write %q", target, fixed))
				continue
			}
			list = append(list, t)
		}
	}
	if !i.version.mergesObjects() {
		return list, findings
	}
	return merge(list), findings
}

// decodeEndpoints reads the spec as an API client does. Endpoints hold an unexported field, which keeps the converter of
// apimachinery from reading them.
func decodeEndpoints(object manifest.Object) (spec v1alpha1.DNSEndpointSpec, err error) {
	text, err := stdjson.Marshal(object.Object["spec"])
	if err == nil {
		err = json.UnmarshalCaseSensitivePreserveInts(text, &spec)
	}
	return spec, err
}

// crdEndpoint gives one endpoint of a DNSEndpoint.
func (i *instance) crdEndpoint(object manifest.Object, index int, e *endpoint.Endpoint) tracked {
	resource := "crd/" + object.GetNamespace() + "/" + object.GetName()
	w := newWant(e, resource, object)
	w.position = object.Position
	if w.position.Line > 0 {
		// Looking places up takes time: it is done for what is reported only.
		w.place = func() diag.Position { return object.FieldPosition("spec", "endpoints", index) }
	}
	return tracked{e.WithLabel(endpoint.ResourceLabelKey, resource), []*want{w}}
}

func newWant(e *endpoint.Endpoint, resource string, object manifest.Object) *want {
	return &want{
		name: e.DNSName, recordType: e.RecordType, setIdentifier: e.SetIdentifier, targets: slices.Clone(e.Targets), ttl: e.RecordTTL,
		resource: resource, object: manifest.Reference(object.Unstructured), position: object.Position,
	}
}

// illegalTarget gives a target with a final dot too much, or without one, and how to write it.
func illegalTarget(e *endpoint.Endpoint) (target, fixed string) {
	for _, target := range e.Targets {
		hasDot := strings.HasSuffix(target, ".")
		switch e.RecordType {
		case endpoint.RecordTypeTXT, endpoint.RecordTypeMX, endpoint.RecordTypeCNAME:
		case endpoint.RecordTypeNAPTR:
			if !hasDot {
				return target, target + "."
			}
		default:
			if hasDot {
				return target, strings.TrimSuffix(target, ".")
			}
		}
	}
	return "", ""
}

// selector tells which objects external-dns reads: those of its namespace, with its labels and annotations.
func (i *instance) selector(withAnnotations bool) (func(manifest.Object) bool, error) {
	byLabel, err := labels.Parse(i.config.LabelFilter)
	if err != nil {
		return nil, fmt.Errorf("--label-filter: %w", err)
	}
	byAnnotation := labels.Everything()
	if withAnnotations && strings.TrimSpace(i.config.AnnotationFilter) != "" {
		if byAnnotation, err = annotations.ParseFilter(i.config.AnnotationFilter); err != nil {
			return nil, fmt.Errorf("--annotation-filter: %w", err)
		}
	}
	return func(object manifest.Object) bool {
		return (i.config.Namespace == "" || object.GetNamespace() == i.config.Namespace) &&
			byLabel.Matches(labels.Set(object.GetLabels())) && byAnnotation.Matches(labels.Set(object.GetAnnotations()))
	}, nil
}

// merge joins the targets of endpoints that are equal in name, type, set identifier and TTL. CNAMEs have one target each.
func merge(list []tracked) []tracked {
	var merged []tracked
	index := map[endpoint.EndpointKey]int{}
	for _, t := range list {
		if t.RecordType == endpoint.RecordTypeCNAME && len(t.Targets) == 0 {
			t.lose(Rejected, "external-dns skips a CNAME without a target")
			continue
		}
		key := t.Key()
		key.RecordTTL = t.RecordTTL
		if t.RecordType == endpoint.RecordTypeCNAME {
			key.Target = t.Targets[0]
		}
		if at, there := index[key]; there {
			merged[at].Targets = append(merged[at].Targets, t.Targets...)
			merged[at].wants = append(merged[at].wants, t.wants...)
			continue
		}
		index[key] = len(merged)
		merged = append(merged, t)
	}
	for _, t := range merged {
		slices.Sort(t.Targets)
		t.Targets = slices.Compact(t.Targets)
		if resources := t.resources(); len(resources) > 1 {
			for _, w := range t.wants {
				w.joined = resources
			}
		}
	}
	return merged
}
