package cluster

import (
	"slices"
	"text/template/parse"
)

// makers are the functions that give a new map, or nothing that set could change. What is inside the map may come from elsewhere.
var makers = []string{
	"dict", "omit", "pick", "deepCopy", "mustDeepCopy",
	"fromJson", "fromJSON", "mustFromJson", "mustFromJSON", "fromYaml", "fromYAML",
}

// ownVariables gives the variables that only ever hold maps that the template made. It starts from all and drops those that get
// anything else, until nothing changes.
func (w *templateWalk) ownVariables() map[string]bool {
	own := make(map[string]bool, len(w.values))
	for name := range w.values {
		own[name] = !w.foreign[name]
	}
	for changed := true; changed; {
		changed = false
		for name, pipes := range w.values {
			if own[name] && slices.ContainsFunc(pipes, func(p *parse.PipeNode) bool { return !makesOwnMap(p, own) }) {
				own[name], changed = false, true
			}
		}
	}
	return own
}

// makesOwnMap tells whether the value of an expression can only be a map that the template made.
func makesOwnMap(n parse.Node, own map[string]bool) bool {
	switch n := n.(type) {
	case *parse.VariableNode:
		return len(n.Ident) == 1 && own[n.Ident[0]]
	case *parse.IdentifierNode:
		return slices.Contains(makers, n.Ident)
	case *parse.PipeNode:
		return makesOwnMap(n.Cmds[len(n.Cmds)-1], own)
	case *parse.CommandNode:
		if target := changedBy(n); target != nil {
			return makesOwnMap(target, own)
		}
		if _, isCall := n.Args[0].(*parse.IdentifierNode); isCall || len(n.Args) == 1 {
			return makesOwnMap(n.Args[0], own)
		}
	}
	return false
}
