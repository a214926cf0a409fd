package templates_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/policyloom/policyloom/pkg/api/v1alpha1"
	"github.com/policyloom/policyloom/pkg/evaluate"
)

// whole is a machine that has every field that the template reads.
func whole() map[string]any {
	vm := machine("tenant/odd", asked{"corp": "odd.example.com,second.example.com", "eth1": "device.example.com"},
		map[string]any{"name": "default", "interfaceName": "eth0", "ipAddress": "10.1.1.1", "ipAddresses": []any{"10.1.1.1"}, "linkState": "up"},
		map[string]any{"name": "corp", "interfaceName": "eth1", "ipAddress": "192.0.2.1", "ipAddresses": []any{"192.0.2.1", "2001:db8::1"}, "linkState": "up"},
	)
	return with(vm, "metadata/deletionTimestamp", nil)
}

// optionSets are specs that between them run every part of the template.
var optionSets = []string{
	"{}",
	"{records: {whenNoAddress: Keep, skipLinkDown: true}, endpoint: {per: VirtualMachine}, source: {namespaces: {include: [t*, s*], exclude: [x]}}}",
	`{names: {convention: "{vm}.{namespace}.example.com", matchInterfaceBy: [interfaceName, name], allowedDomains: [example.com]}, records: {whenNoAddress: Keep}}`,
	`{names: {convention: "{vm}-{interface}.{domain}", domain: {default: example.com}, allowWildcards: true}, records: {addresses: {include: [192.0.0.0/8, "2000::/3"]}}}`,
}

// replaceEach calls use for each field and element below the root: once with each odd value in its place, and once without it.
func replaceEach(root map[string]any, use func(path []any)) {
	var each func(container any, path []any)
	try := func(path []any, value any, set func(any), remove func()) {
		for _, odd := range []any{
			nil, int64(5), "text",
			[]any{"x", nil, int64(1)},
			[]any{map[string]any{"name": "corp"}},
			map[string]any{},
			map[string]any{"name": "corp", "pod": int64(1)},
		} {
			set(odd)
			use(path)
		}
		remove()
		use(path)
		set(value)
		each(value, path)
	}
	each = func(container any, path []any) {
		switch c := container.(type) {
		case map[string]any:
			for key, value := range c {
				try(append(slices.Clone(path), key), value, func(v any) { c[key] = v }, func() { delete(c, key) })
			}
		case []any:
			for i, value := range c {
				try(append(slices.Clone(path), i), value, func(v any) { c[i] = v }, func() {})
			}
		}
	}
	each(root, nil)
}

// identifying tells whether no object can be without the field, or have it in another type.
func identifying(path []any) bool {
	if len(path) == 1 {
		return slices.Contains([]any{"apiVersion", "kind", "metadata"}, path[0])
	}
	return path[0] == "metadata" && slices.Contains([]any{"name", "namespace"}, path[1])
}

func TestFieldsOfAnyType(t *testing.T) {
	t.Parallel()
	neighbour := machine("shop/web", asked{"corp": "web.example.com"}, nic("corp", "198.51.100.1"))
	resolver := resolverOver(t, nil)
	for _, spec := range optionSets {
		dns := resource(t, spec)
		text := templateText(t, spec)
		alone, err := unchecked(t, resolver, text, neighbour)
		if err != nil {
			t.Fatal(err)
		}
		check := func(path []any, objects ...map[string]any) {
			rendered, err := unchecked(t, resolver, text, append(objects, neighbour)...)
			if err != nil {
				content, _ := json.Marshal(objects[0])
				t.Fatalf("%s: %v: %v\n%s", spec, path, err, content)
			}
			checkBeside(t, dns, rendered, alone)
		}
		vm := whole()
		replaceEach(vm, func(path []any) {
			if !identifying(path) {
				check(path, vm)
			}
		})
		endpoint := published("tenant/odd-corp", "odd.example.com", "192.0.2.9")
		silent := with(whole(), "status/interfaces", []any{nic("corp")})
		replaceEach(endpoint, func(path []any) {
			if !identifying(path) {
				check(path, endpoint, silent)
			}
		})
	}
}

// checkBeside checks that the objects of the namespace shop are those that it has alone, and that all others are well-formed.
func checkBeside(t *testing.T, dns *v1alpha1.VirtualMachineDNS, rendered, alone []evaluate.Object) {
	t.Helper()
	var kept []map[string]any
	for _, object := range rendered {
		switch {
		case object.Object.GetNamespace() == "shop":
			kept = append(kept, object.Object.Object)
		case object.ComplianceType != "mustnothave":
			checkOwn(t, &dns.Spec, object)
		}
	}
	var want []map[string]any
	for _, object := range alone {
		want = append(want, object.Object.Object)
	}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("the other machine got %v, want %v", kept, want)
	}
}
