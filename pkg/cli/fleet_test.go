package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files are texts by the paths of their files.
type files map[string]string

// write writes the files below a directory, which it gives.
func (f files) write(t testing.TB, directory string) string {
	t.Helper()
	for name, text := range f {
		file := filepath.Join(directory, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// tree reads all files below a directory, with links as they are.
func tree(t testing.TB, directory string) files {
	t.Helper()
	found := files{}
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(directory, path)
		if err != nil {
			return err
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			found[filepath.ToSlash(name)] = "link"
			return nil
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

const hubOfAll = `apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: default, namespace: policies}
spec: {clusterSet: default}
`

const dnsForAll = `apiVersion: policyloom.dev/v1alpha1
kind: VirtualMachineDNS
metadata: {name: vm-dns}
spec:
  policy: {namespace: policies}
  placement: {labelSelector: {}}
`

// machine is a virtual machine that asks for a name.
func machine(cluster, namespace, name string, address int) string {
	return fmt.Sprintf(`apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: %[3]s
  namespace: %[2]s
  creationTimestamp: "2026-01-10T09:00:00Z"
  labels: {vm.redhat-cop.dns-name: "true"}
  annotations: {vm.redhat-cop.dns-name/corp: %[3]s.%[2]s.%[1]s.example.com}
spec:
  networks: [{name: corp, multus: {networkName: vlan-10}}]
  domain: {devices: {interfaces: [{name: corp, bridge: {}}]}}
status:
  phase: Running
  interfaces: [{name: corp, ipAddresses: [192.0.2.%[4]d]}]
`, cluster, namespace, name, address%250+1)
}

// fleetOf gives a fleet of clusters with some machines each.
func fleetOf(clusters, machines int) files {
	f := files{"hub/hub.yaml": hubOfAll}
	for c := range clusters {
		var text strings.Builder
		name := fmt.Sprintf("cluster-%03d", c)
		for m := range machines {
			text.WriteString("---\n" + machine(name, fmt.Sprintf("ns-%d", m%3), fmt.Sprintf("vm-%d", m), m))
		}
		f["clusters/"+name+"/vmis.yaml"] = text.String()
	}
	return f
}
