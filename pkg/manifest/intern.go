package manifest

import (
	"hash/maphash"
	"strings"
	"sync"
)

const (
	internSlots  = 1024
	internLength = 48
)

// interner shares short strings that were seen lately: the keys of a manifest, and values such as True. It copies what
// it returns, so no object keeps the text of its whole file alive. It is not safe for concurrent use.
type interner struct {
	seed  maphash.Seed
	slots [internSlots]internSlot
	// parts are shared, too, unless it is nil.
	parts *parts
}

type internSlot struct {
	text  string
	value any
}

func newInterner() *interner { return &interner{seed: maphash.MakeSeed()} }

// sharing are interners with parts. They outlive the reading of a cluster, since the next one has much in common with it.
var sharing = sync.Pool{New: func() any {
	return &interner{seed: maphash.MakeSeed(), parts: newParts()}
}}

// slot gives the slot that holds s, or nil if s is too long to be worth one.
func (n *interner) slot(s string) *internSlot {
	if len(s) > internLength {
		return nil
	}
	slot := &n.slots[maphash.String(n.seed, s)%internSlots]
	if slot.value == nil || slot.text != s {
		text := strings.Clone(s)
		*slot = internSlot{text: text, value: text}
	}
	return slot
}

func (n *interner) string(s string) string {
	if slot := n.slot(s); slot != nil {
		return slot.text
	}
	return strings.Clone(s)
}

// value gives s as an interface value, which spares the allocation of its header for a string that is known.
func (n *interner) value(s string) any {
	if slot := n.slot(s); slot != nil {
		return slot.value
	}
	return strings.Clone(s)
}
