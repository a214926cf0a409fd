package manifest

import (
	"hash/maphash"
	"slices"
	"strings"
)

const (
	partSlots  = 512
	partWays   = 4
	partLength = 2048
	seenSlots  = 4096
)

// parts shares equal parts of objects. The objects of a cluster have much in common, such as the devices of virtual machines,
// and a small map of Go takes ten times the memory of its text. It goes by the text: a mapping or list whose text came up
// before has the value that it had then, and need not be parsed. It is not safe for concurrent use; the values are, as long as
// nobody changes them.
type parts struct {
	seed  maphash.Seed
	slots [partSlots][partWays]part
	// oldest is the way of each slot to fill next.
	oldest [partSlots]uint8
	// seen holds the hashes of texts that came up once, which is not worth a slot.
	seen [seenSlots]uint64
}

// part is a mapping or list of a manifest. What the text of a block means depends on its indentation, too.
type part struct {
	text          string
	indent, lines int
	value         any
}

func newParts() *parts { return &parts{seed: maphash.MakeSeed()} }

// find gives the part that the text begins with, or nil if there is none that is known. head is the beginning of the text that
// parts of its slot have in common.
func (p *parts) find(head, text string, indent int) *part {
	slot := &p.slots[p.slot(head)]
	for i := range slot {
		if known := &slot[i]; known.value != nil && known.indent == indent && strings.HasPrefix(text, known.text) {
			return known
		}
	}
	return nil
}

// add remembers a part from the second time on that it comes up.
func (p *parts) add(head string, found part) {
	if len(found.text) > partLength {
		return
	}
	hash := maphash.String(p.seed, found.text)
	if seen := &p.seen[hash%seenSlots]; *seen != hash {
		*seen = hash
		return
	}
	if list, ok := found.value.([]any); ok {
		found.value = slices.Clip(list)
	}
	found.text = strings.Clone(found.text)
	at := p.slot(head)
	p.slots[at][p.oldest[at]] = found
	p.oldest[at] = (p.oldest[at] + 1) % partWays
}

func (p *parts) slot(head string) uint64 { return maphash.String(p.seed, head) % partSlots }
