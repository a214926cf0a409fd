package cli

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/policyloom/policyloom/pkg/diag"
	"github.com/policyloom/policyloom/pkg/report"
	"github.com/policyloom/policyloom/pkg/suite"
)

type testOptions struct {
	run          string
	failFast     bool
	update       bool
	output       string
	requireTests bool
	coverage     bool
}

func newTest(streams Streams) *cobra.Command {
	o := &testOptions{}
	command := &cobra.Command{
		Use:   "test [FILE|DIR...]",
		Short: "Run PolicyTests: what policies make of a fleet, case by case",
		Long: `Run the PolicyTests in files, and in directories and all below them; without arguments those in the working directory.

A PolicyTest names policies and a fleet of fixtures. In each of its cases the policies arrive at the fleet, then step by
step something changes: objects are applied, patched or deleted, an API goes away, a managed cluster gets another label,
time goes by. After each step the hub decides placements and replicates policies, and the real config-policy-controller
evaluates them on every cluster until nothing changes any more. Then the case compares: the clusters that are selected,
compliance, messages, and the objects of the clusters, field by field. An error that a case does not expect makes it
fail.

The output is that of go test: a line for each test, and more only about cases that failed. Exit status 1 says that a
case failed or that a test is wrong.`,
		Example: `  policyloom test
  policyloom test policies/vm-dns -v

  # only some cases, by suite/case
  policyloom test --run 'vm-dns/second NIC'

  # write what is into the files of the tests, and show what changes
  policyloom test --update

  # for continuous integration
  policyloom test --require-tests --coverage -o junit > report.xml`,
		RunE: func(cmd *cobra.Command, args []string) error { return o.execute(cmd, streams, args) },
	}
	flags := command.Flags()
	flags.StringVar(&o.run, "run", "", "only the cases whose name, as suite/case, this regular expression matches")
	flags.BoolVar(&o.failFast, "fail-fast", false, "stop after the first case that fails")
	flags.BoolVar(&o.update, "update", false, "rewrite the expected objects, numbers, compliance and clusters to what they are")
	flags.StringVarP(&o.output, "output", "o", "text", "output format: "+strings.Join(report.SuiteFormats, ", "))
	flags.BoolVar(&o.requireTests, "require-tests", false, "fail if there is no case to run")
	flags.BoolVar(&o.coverage, "coverage", false, "also say which policies, policy templates and clusters no case looks at")
	command.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"yaml", "yml", "json"}, cobra.ShellCompDirectiveFilterFileExt
	}
	completeValues(command, "output", report.SuiteFormats)
	completeValues(command, "run", nil)
	return command
}

// asInGo lets those who are used to go test write -run.
func asInGo(args []string) []string {
	if len(args) == 0 || args[0] != "test" {
		return args
	}
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if arg == "-run" || strings.HasPrefix(arg, "-run=") {
			args[i] = "-" + arg
		}
	}
	return args
}

func (o *testOptions) execute(cmd *cobra.Command, streams Streams, args []string) error {
	printer, err := report.NewSuites(streams.Out, o.output, report.SuiteOptions{Verbose: isVerbose(cmd)})
	if err != nil {
		return err
	}
	options := suite.Options{FS: osFS{}, FailFast: o.failFast}
	if o.run != "" {
		if options.Filter, err = regexp.Compile(o.run); err != nil {
			return fmt.Errorf("--run: %w", err)
		}
	}
	if o.update {
		options.Write = replaceFile
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	var missing []error
	for _, arg := range args {
		missing = append(missing, exists(arg))
	}
	if err := errors.Join(missing...); err != nil {
		return err
	}
	tests, findings := suite.Find(osFS{}, args)
	cases, failed := 0, false
	write := func(r suite.Result) error {
		cases += len(r.Cases)
		failed = failed || r.Failed()
		return printer.Write(r)
	}
	for _, broken := range suite.Broken(findings) {
		if err := write(broken); err != nil {
			return err
		}
	}
	var coverage suite.Coverage
	if !o.failFast || !failed {
		if coverage, err = suite.Run(cmd.Context(), tests, options, write); err != nil {
			return err
		}
	}
	if !o.coverage {
		err = printer.Close(nil)
	} else {
		err = printer.Close(&coverage)
	}
	if err != nil {
		return err
	}
	findings = slices.DeleteFunc(findings, func(f diag.Finding) bool { return f.Severity == diag.Error })
	return errors.Join(printFindings(streams, append(findings, o.none(args, len(tests), cases, failed)...), isVerbose(cmd)), failedCases(failed))
}

// none says that no case ran, and why.
func (o *testOptions) none(args []string, tests, cases int, failed bool) diag.Findings {
	if cases > 0 || failed {
		return nil
	}
	f := diag.Finding{Severity: diag.Warning, Message: "there is no PolicyTest in " + strings.Join(args, ", ")}
	if tests > 0 {
		f.Message, f.Hint = fmt.Sprintf("--run %s matches no case", o.run), "names are suite/case"
	}
	if o.requireTests {
		f.Severity = diag.Error
	}
	return diag.Findings{f}
}

func failedCases(failed bool) error {
	if failed {
		return errFindings
	}
	return nil
}
