package acm

import (
	"strings"
	"text/template/parse"
)

// Call is a use of a function in a template.
type Call struct {
	Function string
	// Line of the template, from 1.
	Line int
}

// Calls gives the functions that a template uses, each once, in the order of their first use. It is empty if the template cannot be
// parsed.
func Calls(text, left, right string) []Call {
	trees := map[string]*parse.Tree{}
	tree := parse.New("template")
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(text, left, right, trees); err != nil {
		return nil
	}
	var calls []Call
	seen := map[string]bool{}
	var visit func(parse.Node)
	branch := func(b *parse.BranchNode) {
		visit(b.Pipe)
		visit(b.List)
		if b.ElseList != nil {
			visit(b.ElseList)
		}
	}
	visit = func(node parse.Node) {
		switch n := node.(type) {
		case *parse.ListNode:
			for _, child := range n.Nodes {
				visit(child)
			}
		case *parse.ActionNode:
			visit(n.Pipe)
		case *parse.PipeNode:
			for _, command := range n.Cmds {
				visit(command)
			}
		case *parse.CommandNode:
			for _, argument := range n.Args {
				visit(argument)
			}
		case *parse.ChainNode:
			visit(n.Node)
		case *parse.IfNode:
			branch(&n.BranchNode)
		case *parse.WithNode:
			branch(&n.BranchNode)
		case *parse.RangeNode:
			branch(&n.BranchNode)
		case *parse.TemplateNode:
			if n.Pipe != nil {
				visit(n.Pipe)
			}
		case *parse.IdentifierNode:
			if !seen[n.Ident] {
				seen[n.Ident] = true
				calls = append(calls, Call{Function: n.Ident, Line: 1 + strings.Count(text[:min(int(n.Pos), len(text))], "\n")})
			}
		}
	}
	for _, t := range trees {
		visit(t.Root)
	}
	return calls
}
