package evaluate

import (
	"encoding/json"

	"github.com/policyloom/policyloom/pkg/cluster"
)

// Memo keeps what the object-templates-raw of a template gave on a cluster, so that Render and the first evaluation of a Session
// resolve it once. It is not safe for concurrent use.
type Memo struct {
	on      *cluster.Cluster
	entries []json.RawMessage
	// sensitive and missedAPI are those of the renderer.
	sensitive, missedAPI bool
}

// remember keeps what was resolved on the renderer's cluster.
func (r *renderer) remember(entries []json.RawMessage) {
	if r.template.Memo != nil {
		*r.template.Memo = Memo{on: r.cluster, entries: entries, sensitive: r.sensitive, missedAPI: r.missedAPI}
	}
}

// recall gives what was resolved on the very same cluster.
func (r *renderer) recall() ([]json.RawMessage, bool) {
	memo := r.template.Memo
	if memo == nil || memo.on == nil || memo.on != r.cluster {
		return nil, false
	}
	r.sensitive, r.missedAPI = memo.sensitive, memo.missedAPI
	return memo.entries, true
}
