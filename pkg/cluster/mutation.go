package cluster

import (
	"slices"
	"strings"
	"text/template/parse"
)

// mutators are the template functions that change an argument in place, which is the first one of each. All other functions of
// sprig and of the engine leave their arguments alone.
var mutators = []string{"set", "unset", "merge", "mergeOverwrite", "mustMerge", "mustMergeOverwrite"}

// encryptedPrefix starts text that the engine decrypts before it parses the template.
const encryptedPrefix = "$ocm_encrypted:"

// MutatesLookups tells whether a template may change objects that it looked up, so that it must not get SharedObjects. The text
// is what the engine parses: the YAML of a raw template, or templates.JSONToYAML of a JSON one. Empty delimiters stand for {{ and
// }}. It says true unless it can prove the contrary: the template calls no function that changes an argument, or only set and
// unset, and those only on maps that the template made itself. Functions that the engine does not have are taken to change
// nothing.
func MutatesLookups(text, leftDelimiter, rightDelimiter string) bool {
	if strings.Contains(text, encryptedPrefix) {
		return true
	}
	trees := map[string]*parse.Tree{}
	tree := parse.New("template")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, leftDelimiter, rightDelimiter, trees); err != nil {
		return true
	}
	w := templateWalk{values: map[string][]*parse.PipeNode{}, foreign: map[string]bool{"$": true}}
	for _, t := range trees {
		w.node(t.Root)
	}
	if w.mutates {
		return true
	}
	own := w.ownVariables()
	return slices.ContainsFunc(w.targets, func(target parse.Node) bool { return !makesOwnMap(target, own) })
}

// templateWalk collects what decides whether a template changes what it looked up. Variables count by name, whatever their scope.
type templateWalk struct {
	// values are all that is ever assigned to a variable.
	values map[string][]*parse.PipeNode
	// foreign are the variables that get values in other ways.
	foreign map[string]bool
	// targets are the maps that set and unset change.
	targets []parse.Node
	// mutates is true once anything else may be changed.
	mutates bool
}

func (w *templateWalk) node(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				w.node(child)
			}
		}
	case *parse.ActionNode:
		w.pipe(n.Pipe)
	case *parse.TemplateNode:
		w.pipe(n.Pipe)
	case *parse.IfNode:
		w.branch(&n.BranchNode)
	case *parse.WithNode:
		w.branch(&n.BranchNode)
	case *parse.RangeNode:
		for _, variable := range n.Pipe.Decl {
			w.foreign[variable.Ident[0]] = true
		}
		w.branch(&n.BranchNode)
	case *parse.PipeNode:
		w.pipe(n)
	case *parse.ChainNode:
		w.node(n.Node)
	case *parse.IdentifierNode:
		w.mutates = w.mutates || slices.Contains(mutators, n.Ident)
	}
}

func (w *templateWalk) branch(b *parse.BranchNode) {
	w.pipe(b.Pipe)
	w.node(b.List)
	w.node(b.ElseList)
}

func (w *templateWalk) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	for _, variable := range p.Decl {
		w.values[variable.Ident[0]] = append(w.values[variable.Ident[0]], p)
	}
	for _, command := range p.Cmds {
		arguments := command.Args
		if target := changedBy(command); target != nil {
			w.targets = append(w.targets, target)
			arguments = arguments[1:]
		}
		for _, argument := range arguments {
			w.node(argument)
		}
	}
}

// changedBy gives the map that a call of set or unset changes; nil if the command is no such call, or gets the map from a pipe.
func changedBy(command *parse.CommandNode) parse.Node {
	if function, ok := command.Args[0].(*parse.IdentifierNode); ok && len(command.Args) > 1 {
		if function.Ident == "set" || function.Ident == "unset" {
			return command.Args[1]
		}
	}
	return nil
}
