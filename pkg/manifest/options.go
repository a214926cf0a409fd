package manifest

// Option changes how manifests are read.
type Option func(*options)

type options struct {
	fragments bool
	anyMap    bool
	fixtures  bool
	lenient   func(file string) bool
	skip      func(file string) bool
}

func newOptions(opts []Option) (o options) {
	for _, set := range opts {
		set(&o)
	}
	return o
}

// AllowFragments accepts documents that hold object-templates-raw alone, as PolicyGenerator does. Such a document
// becomes an inform ConfigurationPolicy of severity low that is named after the file.
func AllowFragments() Option { return func(o *options) { o.fragments = true } }

// AnyMap accepts every document that is a mapping, and unpacks no Lists. It is for settings, which are no Kubernetes
// objects but deserve the same messages and positions.
func AnyMap() Option { return func(o *options) { o.anyMap = true } }

// Lenient names the files that may hold other things than Kubernetes objects, such as those of a must-gather: what is
// none is skipped there, with a finding of severity Info, or Warning if it cannot be read at all.
func Lenient(match func(file string) bool) Option { return func(o *options) { o.lenient = match } }

// Fixtures saves memory where there are many objects that nobody changes: equal parts of them are shared, and texts for
// positions are read from the files again. If a file has changed by then, a field has the place of its object.
func Fixtures() Option { return func(o *options) { o.fixtures = true } }

// Skip names files that LoadFS passes over.
func Skip(match func(file string) bool) Option { return func(o *options) { o.skip = match } }
