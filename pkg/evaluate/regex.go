package evaluate

import (
	"regexp"
	"sync"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// cachedRegexes gives template functions that do what sprig's do and compile each regular expression once: sprig compiles at
// every call, which is a good part of the time that a template with thousands of machines takes. Whatever does not compile
// is left to sprig.
func cachedRegexes() template.FuncMap {
	var compiled sync.Map
	compile := func(expression string) *regexp.Regexp {
		if known, ok := compiled.Load(expression); ok {
			re, _ := known.(*regexp.Regexp)
			return re
		}
		re, err := regexp.Compile(expression)
		if err != nil {
			return nil
		}
		compiled.Store(expression, re)
		return re
	}
	functions := template.FuncMap{}
	if original, ok := sprig.FuncMap()["regexMatch"].(func(string, string) bool); ok {
		functions["regexMatch"] = func(expression, text string) bool {
			if re := compile(expression); re != nil {
				return re.MatchString(text)
			}
			return original(expression, text)
		}
	}
	if original, ok := sprig.FuncMap()["regexFindAll"].(func(string, string, int) []string); ok {
		functions["regexFindAll"] = func(expression, text string, count int) []string {
			if re := compile(expression); re != nil {
				return re.FindAllString(text, count)
			}
			return original(expression, text, count)
		}
	}
	return functions
}
