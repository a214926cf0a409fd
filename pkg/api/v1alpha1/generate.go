package v1alpha1

//go:generate go test . -run "^Test(Schema|Markdown)$" -update
