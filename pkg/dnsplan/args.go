package dnsplan

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kingpin/v2"
	"sigs.k8s.io/external-dns/endpoint"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns"
	"sigs.k8s.io/external-dns/pkg/apis/externaldns/validation"

	"github.com/policyloom/policyloom/pkg/diag"
)

// envPrefix is that of the variables that external-dns takes arguments from.
const envPrefix = "EXTERNAL_DNS_"

// endingFlags print something and end the process.
var endingFlags = []string{"version", "help", "help-long", "help-man", "completion-bash", "completion-script-bash", "completion-script-zsh"}

// noFiles keeps the flag parser from reading the files that arguments of the form @FILE name.
var noFiles = sync.OnceFunc(func() { kingpin.EnableFileExpansion = false })

// newInstance reads the arguments with the flag parser of external-dns itself. It is nil if they are wrong.
func newInstance(settings Settings) (*instance, diag.Findings) {
	i := &instance{settings: settings, config: externaldns.NewConfig(), keeps: func(string) bool { return false }}
	var findings diag.Findings
	fail := func(message, hint string) { findings = append(findings, i.finding(diag.Error, message, hint)) }
	known := false
	if i.version, known = parseVersion(settings.Version); !known {
		findings = append(findings, i.finding(diag.Warning,
			fmt.Sprintf("%q is no version of external-dns: %s is taken", settings.Version, linked), "write a version such as 0.21"))
	}
	for _, arg := range settings.Args {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		switch {
		case strings.HasPrefix(arg, "@"):
			fail(fmt.Sprintf("the argument %q reads arguments from a file, which is not done here", arg), "write them as arguments")
		case strings.HasPrefix(arg, "-") && slices.Contains(endingFlags, name):
			fail(fmt.Sprintf("with --%s external-dns prints something and ends", name), "leave it out")
		}
	}
	if findings.HasErrors() {
		return nil, findings
	}
	args, ignored, err := i.parse()
	for _, flag := range ignored {
		findings = append(findings, i.finding(diag.Warning,
			fmt.Sprintf("--%s is a flag that external-dns %s does not have, whose planner this program has: it is ignored", flag, linked), ""))
	}
	if err != nil {
		fail(err.Error(), "the arguments are read as external-dns "+linked.String()+" does")
		return nil, findings
	}
	i.policySet, i.prefixSet = hasFlag(args, settings.Env, "policy"), hasFlag(args, settings.Env, "annotation-prefix")
	if !i.prefixSet {
		i.config.AnnotationPrefix = i.version.prefix()
	}
	if err := validation.ValidateConfig(i.config); err != nil {
		fail("external-dns does not start: "+err.Error(), "")
	}
	if registry := i.config.Registry; registry != externaldns.RegistryTXT && registry != externaldns.RegistryNoop {
		fail("the registry "+registry+" is not simulated", "only txt and noop are")
	}
	if findings.HasErrors() {
		return nil, findings
	}
	i.filter = endpoint.NewDomainFilterWithOptions(
		endpoint.WithDomainFilter(i.config.DomainFilter), endpoint.WithDomainExclude(i.config.DomainExclude),
		endpoint.WithRegexDomainFilter(i.config.RegexDomainFilter), endpoint.WithRegexDomainExclude(i.config.RegexDomainExclude))
	// Encryption would give other bytes each time: texts are written in clear, and encrypted ones are read.
	i.config.TXTEncryptEnabled = false
	// Each round begins with what is in the zones.
	i.config.TXTCacheInterval = 0
	return i, findings
}

// unknownFlag is what the flag parser says of a flag that it does not have.
var unknownFlag = regexp.MustCompile(`^unknown long flag '--([a-z0-9-]+)'$`)

// parse fills the configuration in. For other releases than the linked one it leaves out flags that this one does not have.
func (i *instance) parse() (args, ignored []string, err error) {
	noFiles()
	args = slices.Clone(i.settings.Args)
	for {
		*i.config = *externaldns.NewConfig()
		app := externaldns.App(i.config)
		app.Terminate(nil).UsageWriter(io.Discard).ErrorWriter(io.Discard)
		_, err = app.Parse(append(i.fromEnvironment(app, args), args...))
		if err == nil {
			return args, ignored, nil
		}
		match := unknownFlag.FindStringSubmatch(err.Error())
		if match == nil || i.version.minor == linked.minor {
			return args, ignored, err
		}
		ignored = append(ignored, match[1])
		args = withoutFlag(args, match[1])
	}
}

// fromEnvironment puts the variables of the settings into the place of those of the process, and gives the arguments that go
// before all others.
func (i *instance) fromEnvironment(app *kingpin.Application, args []string) []string {
	var first []string
	for _, model := range app.Model().Flags {
		flag := app.GetFlag(model.Name)
		flag.NoEnvar()
		value := i.settings.Env[envName(model.Name)]
		switch {
		case value != "" && model.Required && !hasFlag(args, nil, model.Name):
			for line := range strings.Lines(value) {
				first = append(first, "--"+model.Name+"="+strings.TrimRight(line, "\r\n"))
			}
		case value != "" && !model.Required:
			var values []string
			for line := range strings.Lines(value) {
				values = append(values, strings.TrimRight(line, "\r\n"))
			}
			flag.Default(values...)
		}
	}
	if !i.settings.Complete {
		for name, value := range map[string]string{"provider": externaldns.ProviderInMemory, "source": "crd"} {
			if !hasFlag(args, i.settings.Env, name) {
				first = append(first, "--"+name+"="+value)
			}
		}
		slices.Sort(first)
	}
	return first
}

// envName is the variable that a flag takes its value from.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.NewReplacer("-", "_", ".", "_").Replace(flag))
}

// hasFlag tells whether a flag is among the arguments or the variables.
func hasFlag(args []string, env map[string]string, name string) bool {
	return env[envName(name)] != "" || slices.ContainsFunc(args, func(arg string) bool {
		return arg == "--"+name || strings.HasPrefix(arg, "--"+name+"=")
	})
}

// withoutFlag leaves a flag out, and its value if that is an argument of its own.
func withoutFlag(args []string, name string) []string {
	var left []string
	for n := 0; n < len(args); n++ {
		switch {
		case strings.HasPrefix(args[n], "--"+name+"="):
		case args[n] == "--"+name:
			if n+1 < len(args) && !strings.HasPrefix(args[n+1], "-") {
				n++
			}
		default:
			left = append(left, args[n])
		}
	}
	return left
}
