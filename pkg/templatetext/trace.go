package templatetext

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template/parse"
)

const (
	// ItemFunction is called in a traced template at each item of a range, with the number of the range and the item.
	ItemFunction = "policyloomItem"
	// EndFunction is called after a range, with its number.
	EndFunction = "policyloomEnd"
)

// Traced gives a template that does the same and calls ItemFunction and EndFunction, so that one can tell which item a failed
// execution was at. ok is false if the template has no range or cannot be parsed.
func Traced(text string) (traced string, ok bool) {
	tree, err := parseText(text)
	if err != nil {
		return "", false
	}
	ranges := 0
	walkLists(tree.Root, func(list *parse.ListNode) {
		nodes := make([]parse.Node, 0, len(list.Nodes))
		for _, node := range list.Nodes {
			nodes = append(nodes, node)
			if n, isRange := node.(*parse.RangeNode); isRange {
				ranges++
				n.List.Nodes = append([]parse.Node{call(ItemFunction, ranges, " .")}, n.List.Nodes...)
				nodes = append(nodes, call(EndFunction, ranges, ""))
			}
		}
		list.Nodes = nodes
	})
	return tree.Root.String(), ranges > 0
}

// Characters around the number of a line that no one types.
const markBegin, markEnd = "\ue0f0", "\ue0f1"

// Marked gives a template that does the same, but ends each line that it prints with a mark of the line of the template that
// the line break comes from.
func Marked(text string) (marked string, ok bool) {
	tree, err := parseText(text)
	if err != nil {
		return "", false
	}
	walkLists(tree.Root, func(list *parse.ListNode) {
		for _, node := range list.Nodes {
			n, isText := node.(*parse.TextNode)
			if !isText {
				continue
			}
			line := 1 + strings.Count(text[:n.Pos], "\n")
			var b strings.Builder
			for _, r := range string(n.Text) {
				if r == '\n' {
					b.WriteString(markBegin + strconv.Itoa(line) + markEnd)
					line++
				}
				b.WriteRune(r)
			}
			n.Text = []byte(b.String())
		}
	})
	return tree.Root.String(), true
}

// MarkedLine gives the line of the template that a line of what a marked template printed comes from, or 0.
func MarkedLine(printed string) int {
	at := strings.LastIndex(printed, markBegin)
	if at < 0 {
		return 0
	}
	number, _, _ := strings.Cut(printed[at+len(markBegin):], markEnd)
	line, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return line
}

var marks = regexp.MustCompile(markBegin + `\d+` + markEnd)

// Unmarked gives what a marked template printed without the marks.
func Unmarked(printed string) string { return marks.ReplaceAllString(printed, "") }

func parseText(text string) (*parse.Tree, error) {
	tree := parse.New("tmpl")
	tree.Mode = parse.SkipFuncCheck
	return tree.Parse(text, "{{", "}}", map[string]*parse.Tree{})
}

// walkLists visits the lists of nodes in a template, inner ones first.
func walkLists(list *parse.ListNode, visit func(*parse.ListNode)) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		var branch *parse.BranchNode
		switch n := node.(type) {
		case *parse.IfNode:
			branch = &n.BranchNode
		case *parse.WithNode:
			branch = &n.BranchNode
		case *parse.RangeNode:
			branch = &n.BranchNode
		default:
			continue
		}
		walkLists(branch.List, visit)
		walkLists(branch.ElseList, visit)
	}
	visit(list)
}

// call gives the node of a call.
func call(function string, number int, rest string) parse.Node {
	tree, err := parseText(fmt.Sprintf("{{%s %d%s}}", function, number, rest))
	if err != nil || len(tree.Root.Nodes) == 0 {
		return &parse.TextNode{NodeType: parse.NodeText}
	}
	return tree.Root.Nodes[0]
}
