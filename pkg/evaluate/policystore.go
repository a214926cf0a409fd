package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	configpolicyv1 "open-cluster-management.io/config-policy-controller/api/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// policyStore is the client through which the controller reads its policy and writes the status: it holds one
// ConfigurationPolicy. The fake client of controller-runtime would take most of the time for each of the many status updates.
type policyStore struct {
	// Client is nil: whatever else the controller did with its client would be new to us.
	client.Client
	namespaces namespaceLister
	policy     *configpolicyv1.ConfigurationPolicy
	// key is what the hub encrypts values with.
	key []byte
	// messages are those that the controller sent for the root policy, the oldest first.
	messages []string
}

func (s *policyStore) Get(_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	switch into := object.(type) {
	case *configpolicyv1.ConfigurationPolicy:
		if s.policy == nil || key != client.ObjectKeyFromObject(s.policy) {
			return apierrors.NewNotFound(schema.GroupResource{Group: configpolicyv1.GroupVersion.Group, Resource: "configurationpolicies"}, key.Name)
		}
		s.policy.DeepCopyInto(into)
		return nil
	case *apiextensionsv1.CustomResourceDefinition:
		// Without its definition the controller would take itself to be uninstalled.
		into.Name = key.Name
		return nil
	case *appsv1.Deployment:
		into.Name, into.Namespace = key.Name, key.Namespace
		return nil
	case *corev1.Secret:
		if s.key == nil {
			return apierrors.NewNotFound(schema.GroupResource{Resource: "secrets"}, key.Name)
		}
		into.Data = map[string][]byte{"key": s.key}
		return nil
	default:
		return fmt.Errorf("the controller asked for a %T", object)
	}
}

func (s *policyStore) List(ctx context.Context, list client.ObjectList, options ...client.ListOption) error {
	return s.namespaces.List(ctx, list, options...)
}

// Create takes the event that tells the root policy about compliance.
func (s *policyStore) Create(_ context.Context, object client.Object, _ ...client.CreateOption) error {
	if event, isEvent := object.(*corev1.Event); isEvent {
		s.messages = append(s.messages, event.Message)
		return nil
	}
	return fmt.Errorf("the controller created a %T", object)
}

// Patch takes JSON patches of the finalizers.
func (s *policyStore) Patch(_ context.Context, object client.Object, patch client.Patch, _ ...client.PatchOption) error {
	data, err := patch.Data(object)
	if err != nil {
		return err
	}
	operations, err := jsonpatch.DecodePatch(data)
	if err != nil {
		return err
	}
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": s.policy.Finalizers}})
	if err != nil {
		return err
	}
	if text, err = operations.Apply(text); err != nil {
		return err
	}
	var patched struct{ Metadata struct{ Finalizers []string } }
	if err := json.Unmarshal(text, &patched); err != nil {
		return err
	}
	s.policy.Finalizers = patched.Metadata.Finalizers
	object.SetFinalizers(patched.Metadata.Finalizers)
	return nil
}

func (s *policyStore) Status() client.SubResourceWriter { return statusWriter{store: s} }

// statusWriter stores the status of the policy.
type statusWriter struct {
	client.SubResourceWriter
	store *policyStore
}

func (w statusWriter) Update(_ context.Context, object client.Object, _ ...client.SubResourceUpdateOption) error {
	policy, isPolicy := object.(*configpolicyv1.ConfigurationPolicy)
	if !isPolicy {
		return errors.New("the controller updated the status of something else than a ConfigurationPolicy")
	}
	policy.Status.DeepCopyInto(&w.store.policy.Status)
	return nil
}
