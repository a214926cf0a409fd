package dnsplan

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/manifest"
)

// FromDeployment gives the settings of each container of a Deployment that runs external-dns.
func FromDeployment(cluster string, object manifest.Object) ([]Settings, diag.Findings) {
	var deployment appsv1.Deployment
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &deployment); err != nil {
		return nil, diag.Findings{{
			Severity: diag.Error, Position: object.Position, Cluster: cluster, Object: manifest.Reference(object.Unstructured),
			Message: "cannot be read: " + err.Error(),
		}}
	}
	if deployment.Spec.Replicas != nil && *deployment.Spec.Replicas == 0 {
		return nil, nil
	}
	var list []Settings
	var findings diag.Findings
	for n, container := range deployment.Spec.Template.Spec.Containers {
		name, tag := imageOf(container.Image)
		if !strings.HasPrefix(name, "external-dns") || strings.Contains(name, "operator") {
			continue
		}
		s := Settings{
			Cluster: cluster, Name: object.GetNamespace() + "/" + object.GetName(), Version: tag, Complete: true, Env: map[string]string{},
			Position: object.FieldPosition("spec", "template", "spec", "containers", n), Object: manifest.Reference(object.Unstructured),
		}
		if _, ok := parseVersion(tag); !ok {
			s.Version = ""
		}
		unknown := map[string]bool{}
		for _, variable := range container.Env {
			if unknown[variable.Name] = variable.ValueFrom != nil; !unknown[variable.Name] {
				s.Env[variable.Name] = expand(variable.Value, s.Env)
			}
		}
		// The first word of the command is the program.
		words := container.Args
		if len(container.Command) > 1 {
			words = append(append([]string{}, container.Command[1:]...), container.Args...)
		}
		for _, word := range words {
			for _, reference := range reference.FindAllStringSubmatch(word, -1) {
				if unknown[reference[1]] {
					flag, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
					findings = append(findings, unknownVariable(s, reference[1], flag))
				}
			}
			s.Args = append(s.Args, expand(word, s.Env))
		}
		findings = append(findings, fromElsewhere(s, container, unknown)...)
		list = append(list, s)
	}
	return list, findings
}

// fromElsewhere reports arguments that come from Secrets and ConfigMaps, which are not read.
func fromElsewhere(s Settings, container corev1.Container, unknown map[string]bool) diag.Findings {
	var findings diag.Findings
	for _, variable := range container.Env {
		if unknown[variable.Name] && strings.HasPrefix(variable.Name, envPrefix) {
			flag := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(variable.Name, envPrefix)), "_", "-")
			findings = append(findings, unknownVariable(s, variable.Name, flag))
		}
	}
	if len(container.EnvFrom) > 0 {
		findings = append(findings, diag.Finding{
			Severity: diag.Warning, Position: s.Position, Cluster: s.Cluster, Object: s.Object, Field: "envFrom",
			Message: "arguments of external-dns may come from a ConfigMap or a Secret, which is not read",
			Hint:    "write them into the cluster's cluster.yaml, under externalDNS",
		})
	}
	return findings
}

// secretWords are in the names of flags whose values make no difference to a plan: credentials, addresses and files.
var secretWords = []string{"secret", "password", "key", "token", "server", "host", "file", "path", "url", "endpoint", "role", "account", "project"}

// unknownVariable reports an argument whose value is not in the Deployment. Without one that matters there can be no plan.
func unknownVariable(s Settings, name, flag string) diag.Finding {
	f := diag.Finding{
		Severity: diag.Error, Position: s.Position, Cluster: s.Cluster, Object: s.Object,
		Message: fmt.Sprintf("the value of the variable %s is not in the Deployment, so that --%s is not known", name, flag),
		Hint:    "write the arguments into the cluster's cluster.yaml, under externalDNS",
	}
	if slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(flag, word) }) {
		f.Severity = diag.Info
	}
	return f
}

// reference is how arguments refer to variables.
var reference = regexp.MustCompile(`\$\(([A-Za-z_][A-Za-z0-9_.-]*)\)`)

// expand puts the values of variables into an argument, as the kubelet does: what is not known stays as it is.
func expand(text string, env map[string]string) string {
	return reference.ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := env[found[2:len(found)-1]]; ok {
			return value
		}
		return found
	})
}

// imageOf gives the last part of the name of an image, and its tag.
func imageOf(image string) (name, tag string) {
	image, _, _ = strings.Cut(image, "@")
	name, tag, _ = strings.Cut(path.Base(image), ":")
	return name, tag
}
