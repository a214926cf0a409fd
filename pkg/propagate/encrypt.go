package propagate

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/stolostron/go-template-utils/v7/pkg/templates"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	policiesv1 "open-cluster-management.io/governance-policy-propagator/api/v1"
	"open-cluster-management.io/governance-policy-propagator/controllers/propagator"

	"github.com/policyloom/policyloom/pkg/diag"
)

// prepareEncryption sets the options so that values from Secrets are encrypted as the hub would encrypt them, if the
// fixtures hold the cluster's key. Without it the hub would make up a random key, so the values stay in clear: the managed
// cluster, which decrypts them first, ends up with the same objects.
func (r *resolution) prepareEncryption(index int, template *policiesv1.PolicyTemplate) {
	key, found := r.encryptionKey()
	if !found {
		r.options.CustomFunctions["protect"] = func(value string) string { return value }
		r.report(diag.Info, fmt.Sprintf("spec.policy-templates[%d].objectDefinition", index), fmt.Sprintf(
			"the values that %s takes from Secrets or protects are in clear here; the hub encrypts them in the replicated policy",
			templateName(index, parseTemplate(template)))).Hint = fmt.Sprintf(
			"with Secret %s/%s in the hub's fixtures they are encrypted", r.cluster, propagator.EncryptionKeySecret)
		return
	}
	r.options.EncryptionConfig = templates.EncryptionConfig{
		EncryptionEnabled:    true,
		AESKey:               key,
		InitializationVector: r.initializationVector(),
	}
}

// encryptionKey reads the key of the cluster as the propagator does, past the limits of the policy's own look-ups.
func (r *resolution) encryptionKey() (key []byte, found bool) {
	gvk := schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	secret, err := r.propagator.watcher.Get(r.watcher, gvk, r.cluster, propagator.EncryptionKeySecret)
	if err != nil || secret == nil {
		return nil, false
	}
	if text, found, _ := unstructured.NestedString(secret.Object, "stringData", "key"); found {
		return []byte(text), true
	}
	text, found, _ := unstructured.NestedString(secret.Object, "data", "key")
	if !found {
		return nil, false
	}
	key, err = base64.StdEncoding.DecodeString(text)
	return key, err == nil
}

// initializationVector gives the vector of the annotation encryption-iv. Where the hub would draw one at random, it is
// derived from the names of the policy and the cluster, so that the output is stable, and set as the annotation.
func (r *resolution) initializationVector() []byte {
	annotations := r.replica.Annotations
	if vector, err := base64.StdEncoding.DecodeString(annotations[propagator.IVAnnotation]); err == nil && len(vector) == templates.IVSize {
		return vector
	}
	sum := sha256.Sum256([]byte(r.replica.Namespace + "/" + r.replica.Name))
	vector := sum[:templates.IVSize]
	annotations[propagator.IVAnnotation] = base64.StdEncoding.EncodeToString(vector)
	return vector
}
