package cluster

import (
	"strconv"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/types"
)

// uidOf gives the uid of the nth object that has an identity.
func uidOf(identity string, nth int) types.UID {
	return types.UID(uuid.NewSHA1(uuid.NameSpaceURL, []byte(identity+"#"+strconv.Itoa(nth))).String())
}
