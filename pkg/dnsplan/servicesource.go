package dnsplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/source/annotations"
	"sigs.k8s.io/external-dns/source/template"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// annotationLock guards the annotation prefix, which is a variable of the process in external-dns.
var annotationLock sync.Mutex

// serviceEndpoints gives what the service source makes of Services. Those whose targets come from Pods and Nodes are not simulated.
func (i *instance) serviceEndpoints(objects []manifest.Object) ([]tracked, diag.Findings) {
	annotationLock.Lock()
	defer annotationLock.Unlock()
	annotations.SetAnnotationPrefix(i.config.AnnotationPrefix)
	selected, err := i.selector(true)
	if err != nil {
		return nil, diag.Findings{i.finding(diag.Error, err.Error(), "")}
	}
	for _, name := range i.config.ServiceTypeFilter {
		if name != "" && !slices.Contains(serviceTypes, name) {
			return nil, diag.Findings{i.finding(diag.Error,
				fmt.Sprintf("external-dns does not start: --service-type-filter knows no type %q", name), diag.DidYouMean(name, serviceTypes))}
		}
	}
	engine, err := template.NewEngine(i.config.FQDNTemplate, i.config.TargetTemplate, i.config.FQDNTargetTemplate, i.config.CombineFQDNAndAnnotation)
	if err != nil {
		return nil, diag.Findings{i.finding(diag.Error, err.Error(), "")}
	}
	var list []tracked
	var findings diag.Findings
	for _, object := range objects {
		service, ok := decodeService(object)
		if !ok || !selected(object) || annotations.IsControllerMismatch(service, "service") || !i.takesType(service.Spec.Type) {
			continue
		}
		endpoints, err := i.serviceRecords(service, engine)
		if err != nil {
			findings = append(findings, diag.Finding{
				Severity: diag.Error, Position: object.Position, Cluster: i.settings.Cluster, Object: manifest.Reference(object.Unstructured),
				Message: err.Error(),
			})
			continue
		}
		resource := resourceOf(service)
		for _, e := range endpoints {
			w := newWant(e, resource, object)
			i.wants = append(i.wants, w)
			list = append(list, tracked{e, []*want{w}})
		}
		i.wants = append(i.wants, i.withoutRecord(service, object, endpoints)...)
	}
	return mergeServices(list), findings
}

var serviceTypes = []string{
	string(corev1.ServiceTypeClusterIP), string(corev1.ServiceTypeNodePort),
	string(corev1.ServiceTypeLoadBalancer), string(corev1.ServiceTypeExternalName),
}

func decodeService(object manifest.Object) (*corev1.Service, bool) {
	service := &corev1.Service{}
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, service)
	return service, err == nil
}

func resourceOf(service *corev1.Service) string {
	return "service/" + service.Namespace + "/" + service.Name
}

func (i *instance) takesType(of corev1.ServiceType) bool {
	filter := i.config.ServiceTypeFilter
	return len(filter) == 0 || slices.Contains(filter, "") || slices.Contains(filter, string(of))
}

// serviceRecords gives the records of a Service, from its annotations and the templates of external-dns.
func (i *instance) serviceRecords(service *corev1.Service, engine template.Engine) ([]*endpoint.Endpoint, error) {
	properties, setIdentifier := annotations.ProviderSpecificAnnotations(service.Annotations)
	// They come from a map.
	slices.SortFunc(properties, func(a, b endpoint.ProviderSpecificProperty) int { return cmp.Compare(a.Name, b.Name) })
	records := func(host string, internal bool) []*endpoint.Endpoint {
		resource := resourceOf(service)
		ttl := annotations.TTLFromAnnotations(service.Annotations, resource)
		list := endpoint.EndpointsForHostname(strings.TrimSuffix(host, "."), i.serviceTargets(service, internal), ttl,
			nil, setIdentifier, resource)
		for _, e := range list {
			// In external-dns the records of a name share their properties, so that what it removes from one is lost to another.
			e.ProviderSpecific = slices.Clone(properties)
		}
		return list
	}
	var endpoints []*endpoint.Endpoint
	if !i.config.IgnoreHostnameAnnotation {
		for _, host := range annotations.HostnamesFromAnnotations(service.Annotations) {
			endpoints = append(endpoints, records(host, false)...)
		}
		for _, host := range annotations.InternalHostnamesFromAnnotations(service.Annotations) {
			endpoints = append(endpoints, records(host, true)...)
		}
	}
	return engine.CombineWithEndpoints(endpoints, func() ([]*endpoint.Endpoint, error) {
		hosts, err := engine.ExecFQDN(service)
		var templated []*endpoint.Endpoint
		for _, host := range hosts {
			templated = append(templated, records(host, false)...)
		}
		return templated, err
	})
}

// withoutRecord gives the names that a Service asks for and that give no record.
func (i *instance) withoutRecord(service *corev1.Service, object manifest.Object, endpoints []*endpoint.Endpoint) []*want {
	if !isSimulated(service) || i.config.IgnoreHostnameAnnotation {
		return nil
	}
	hosts := append(annotations.HostnamesFromAnnotations(service.Annotations), annotations.InternalHostnamesFromAnnotations(service.Annotations)...)
	var list []*want
	for _, host := range hosts {
		name := strings.TrimSuffix(host, ".")
		if slices.ContainsFunc(endpoints, func(e *endpoint.Endpoint) bool { return e.DNSName == name }) {
			continue
		}
		w := newWant(&endpoint.Endpoint{DNSName: name}, resourceOf(service), object)
		switch {
		case hasLongLabel(name):
			w.lose(Rejected, "external-dns skips it: a label of the name has more than 63 characters")
		case service.Spec.Type == corev1.ServiceTypeLoadBalancer:
			w.lose(Rejected, "the Service has no address yet")
		default:
			w.lose(Filtered, "external-dns publishes Services of this type with --publish-internal-services only")
		}
		list = append(list, w)
	}
	return list
}

func hasLongLabel(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "."), func(label string) bool { return len(label) > longestLabel })
}

// serviceTargets gives the targets of a Service: those of the annotation, or what its type has.
func (i *instance) serviceTargets(service *corev1.Service, internal bool) endpoint.Targets {
	if targets := annotations.TargetsFromTargetAnnotation(service.Annotations); len(targets) > 0 {
		return targets
	}
	clusterIP := endpoint.Targets{service.Spec.ClusterIP}
	if service.Spec.ClusterIP == corev1.ClusterIPNone {
		clusterIP = nil
	}
	switch service.Spec.Type {
	case corev1.ServiceTypeLoadBalancer:
		if internal {
			return clusterIP
		}
		if len(service.Spec.ExternalIPs) > 0 {
			return slices.Clone(service.Spec.ExternalIPs)
		}
		var targets endpoint.Targets
		for _, ingress := range service.Status.LoadBalancer.Ingress {
			for _, target := range []string{ingress.IP, ingress.Hostname} {
				if target != "" {
					targets = append(targets, target)
				}
			}
		}
		return targets
	case corev1.ServiceTypeClusterIP:
		if internal || i.config.PublishInternal {
			return clusterIP
		}
	case corev1.ServiceTypeExternalName:
		if len(service.Spec.ExternalIPs) > 0 {
			return slices.Clone(service.Spec.ExternalIPs)
		}
		return endpoint.Targets{service.Spec.ExternalName}
	}
	return nil
}

// isSimulated tells whether all records of a Service are worked out here.
func isSimulated(service *corev1.Service) bool {
	switch service.Spec.Type {
	case corev1.ServiceTypeNodePort:
		return false
	case corev1.ServiceTypeClusterIP:
		return service.Spec.ClusterIP != corev1.ClusterIPNone
	default:
		return true
	}
}

// mergeServices joins the targets of Services that ask for one name, whatever their TTL; the first by name is their owner.
func mergeServices(list []tracked) []tracked {
	slices.SortStableFunc(list, func(a, b tracked) int {
		return cmp.Compare(a.Labels[endpoint.ResourceLabelKey], b.Labels[endpoint.ResourceLabelKey])
	})
	var merged []tracked
	index := map[endpoint.EndpointKey]int{}
	for _, t := range list {
		at, there := index[t.Key()]
		if there && t.RecordType != endpoint.RecordTypeCNAME {
			merged[at].Targets = endpoint.NewTargets(append(merged[at].Targets, t.Targets...)...)
			merged[at].wants = append(merged[at].wants, t.wants...)
			continue
		}
		if !there {
			index[t.Key()] = len(merged)
		}
		merged = append(merged, t)
	}
	slices.SortStableFunc(merged, func(a, b tracked) int {
		return cmp.Or(cmp.Compare(a.DNSName, b.DNSName), cmp.Compare(a.RecordType, b.RecordType))
	})
	return merge(merged)
}
