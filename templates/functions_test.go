package templates_test

import (
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/policyloom/policyloom/templates"
)

// everywhere are the functions that every engine since go-template-utils v4.1 has, without those that change with time, make
// passwords or read what is not a part of the cluster.
const everywhere = `
	add append cat concat contains date default dict dig div empty fromJson get has hasKey hasPrefix hasSuffix join list lower
	merge mul mustAppend mustFromJson mustHas mustMerge mustPrepend mustRegexFind mustRegexFindAll mustRegexMatch mustSlice
	mustToDate mustToRawJson prepend quote regexFind regexFindAll regexMatch regexQuoteMeta replace round semver semverCompare set
	slice split splitn sub substr ternary toDate toRawJson trim trimAll trunc unset until untilStep upper
	lookup base64enc base64dec autoindent indent atoi toInt toBool toLiteral
	and or not len index print printf println eq ne lt le gt ge
`

func TestTemplateRunsOnEverySupportedEngine(t *testing.T) {
	t.Parallel()
	allowed := strings.Fields(everywhere)
	tree := parse.New("vm-dns")
	tree.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := tree.Parse(templates.VirtualMachineDNS, "{{", "}}", trees); err != nil {
		t.Fatal(err)
	}
	if len(trees) != 1 {
		t.Errorf("defines %d templates", len(trees))
	}
	used := map[string]bool{}
	collect(tree.Root, used)
	if !used["toRawJson"] || !used["regexFindAll"] {
		t.Fatal("functions in nested blocks were not found")
	}
	for name := range used {
		if !slices.Contains(allowed, name) {
			t.Errorf("uses %s, which older hubs do not have", name)
		}
	}
}

// collect adds the functions that a node calls.
func collect(node parse.Node, used map[string]bool) {
	branch := func(b *parse.BranchNode) {
		collect(b.Pipe, used)
		collect(b.List, used)
		if b.ElseList != nil {
			collect(b.ElseList, used)
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			collect(child, used)
		}
	case *parse.ActionNode:
		collect(n.Pipe, used)
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, argument := range command.Args {
				collect(argument, used)
			}
		}
	case *parse.ChainNode:
		collect(n.Node, used)
	case *parse.IdentifierNode:
		used[n.Ident] = true
	}
}
