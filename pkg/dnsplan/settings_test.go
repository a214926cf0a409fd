package dnsplan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/policyloom/policyloom/pkg/manifest"
)

// TestEnvironmentOfTheProcess checks that no variable of the process and no file gets into the settings.
func TestEnvironmentOfTheProcess(t *testing.T) {
	t.Setenv("EXTERNAL_DNS_TXT_OWNER_ID", "from-the-process")
	t.Setenv("EXTERNAL_DNS_POLICY", "create-only")
	t.Setenv("EXTERNAL_DNS_HELP", "true")
	file := filepath.Join(t.TempDir(), "args")
	if err := os.WriteFile(file, []byte("--policy=create-only\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	i, findings := newInstance(Settings{Cluster: "c1", Args: []string{"--source=crd"}, Env: map[string]string{"EXTERNAL_DNS_TXT_PREFIX": "p-"}})
	if findings.HasErrors() || i.owner() != "default" || i.config.Policy != "sync" || i.config.TXTPrefix != "p-" {
		t.Errorf("%+v %v", i, findings)
	}
	for _, args := range [][]string{{"@" + file}, {"--txt-owner-id=x", "@" + file}} {
		if i, findings := newInstance(Settings{Args: args}); i != nil || !strings.Contains(findings.Error(), "reads arguments from a file") {
			t.Errorf("%q: %v", args, findings)
		}
	}
	if i, findings := newInstance(Settings{Args: []string{"--txt-owner-id", "@" + file}}); i != nil {
		t.Errorf("%q: %v", i.owner(), findings)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args string
		// want is a part of the finding; empty if there is none.
		want string
	}{
		{"--source=crd --provider=aws --policy=sync", ""},
		{"--version", "prints something and ends"},
		{"--help-man", "prints something and ends"},
		{"--no-policy", "unknown long flag '--no-policy'"},
		{"--policy=all", "enum value must be one of sync,upsert-only,create-only, got 'all'"},
		{"stray", "unexpected stray"},
		{"--regex-domain-filter=(", "missing closing )"},
		{"--registry=aws-sd", "the registry aws-sd is not simulated"},
		{"--txt-prefix=a --txt-suffix=b", "txt-prefix and txt-suffix are mutual exclusive"},
		{"--label-filter=a=b=c", "--label-filter does not specify a valid label selector"},
		{"--provider=azure --azure-config-file=", "no Azure config file specified"},
	} {
		i, findings := newInstance(Settings{Cluster: "c1", Args: strings.Fields(c.args)})
		if (i == nil) != (c.want != "") || c.want != "" && !strings.Contains(findings.Error(), c.want) {
			t.Errorf("%s: %v", c.args, findings)
		}
	}
	if i, findings := newInstance(Settings{Complete: true, Args: []string{"--source=crd"}}); i != nil || !strings.Contains(findings.Error(), "required flag(s) '--provider' not provided") {
		t.Errorf("a Deployment without a provider: %v", findings)
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]version{"": linked, "0.20": {20, 0}, "v0.22.1": {22, 1}, "0.23.0-rc1": {23, 0}} {
		if got, ok := parseVersion(text); !ok || got != want {
			t.Errorf("%q: %v %v", text, got, ok)
		}
	}
	for _, text := range []string{"latest", "1.0", "0.21.0.1", "v0.x", "20"} {
		if got, ok := parseVersion(text); ok || got != linked {
			t.Errorf("%q: %v %v", text, got, ok)
		}
	}
	for version, prefix := range map[string]string{"0.21": "external-dns.alpha.kubernetes.io/", "0.22": "external-dns.kubernetes.io/"} {
		if i, _ := newInstance(Settings{Version: version}); i.config.AnnotationPrefix != prefix {
			t.Errorf("%s: %s", version, i.config.AnnotationPrefix)
		}
	}
	if i, _ := newInstance(Settings{Version: "0.22", Args: []string{"--annotation-prefix=a.example.com/"}}); i.config.AnnotationPrefix != "a.example.com/" {
		t.Error(i.config.AnnotationPrefix)
	}
	i, findings := newInstance(Settings{Version: "0.23", Args: []string{"--new-flag", "value", "--policy=sync", "--other=1"}})
	if i == nil || i.config.Policy != "sync" || len(findings) != 2 || findings.HasErrors() {
		t.Errorf("%v", findings)
	}
}

const deploymentText = `apiVersion: apps/v1
kind: Deployment
metadata: {name: dns, namespace: infra}
spec:
  replicas: REPLICAS
  template:
    spec:
      containers:
      - image: IMAGE
        command: [/bin/external-dns, --source=crd]
        args: ["--txt-owner-id=$(CLUSTER)-$(NONE)-$(PASSWORD)", --provider=aws]
        env:
        - {name: SITE, value: eu}
        - {name: CLUSTER, value: "$(SITE)-1"}
        - {name: PASSWORD, valueFrom: {secretKeyRef: {name: a, key: b}}}
`

func TestDeployment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ image, replicas, version, args string }{
		{"registry.k8s.io/external-dns/external-dns:v0.20.0", "1", "v0.20.0", "--source=crd --txt-owner-id=eu-1-$(NONE)-$(PASSWORD) --provider=aws"},
		{"localhost:5000/external-dns@sha256:0123", "1", "", "--source=crd --txt-owner-id=eu-1-$(NONE)-$(PASSWORD) --provider=aws"},
		{"example.com/external-dns:latest", "1", "", "--source=crd --txt-owner-id=eu-1-$(NONE)-$(PASSWORD) --provider=aws"},
		{"example.com/external-dns:0.21.0", "0", "", ""},
		{"example.com/external-dns-operator:0.21.0", "1", "", ""},
		{"example.com/coredns:1.0", "1", "", ""},
	} {
		text := strings.NewReplacer("IMAGE", c.image, "REPLICAS", c.replicas).Replace(deploymentText)
		objects, findings := manifest.Decode("d.yaml", []byte(text))
		if findings.HasErrors() {
			t.Fatal(findings)
		}
		settings, findings := FromDeployment("c1", objects[0])
		if c.args == "" {
			if len(settings) > 0 {
				t.Errorf("%s: %+v", c.image, settings)
			}
			continue
		}
		if len(settings) != 1 || settings[0].Version != c.version || strings.Join(settings[0].Args, " ") != c.args || settings[0].Name != "infra/dns" {
			t.Errorf("%s: %+v", c.image, settings)
		}
		if settings[0].Position.Line != 9 || len(findings) != 1 || !findings.HasErrors() ||
			!strings.Contains(findings[0].Message, "the variable PASSWORD is not in the Deployment, so that --txt-owner-id is not known") {
			t.Errorf("%s: %v %v", c.image, settings[0].Position, findings)
		}
	}
}

// FuzzArguments checks that no arguments end the process, and that wrong ones are errors.
func FuzzArguments(f *testing.F) {
	f.Add("--policy=sync\n--txt-owner-id\nx")
	f.Add("--version\n@/etc/passwd\n-h")
	f.Add("--completion-bash\n--interval=1y\n--\n-")
	f.Fuzz(func(t *testing.T, text string) {
		i, findings := newInstance(Settings{Cluster: "c1", Version: "0.22", Args: strings.Split(text, "\n")})
		if (i == nil) != findings.HasErrors() {
			t.Errorf("%q: %v %v", text, i, findings)
		}
	})
}
