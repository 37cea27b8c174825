package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"stormtop/alerts"
	"stormtop/alerts/watch"
	"stormtop/collector"
	"stormtop/collector/profile/profilecmd"
	"stormtop/collector/recording"
	"stormtop/simfeed/lab/labcmd"
	"stormtop/simfeed/scenario/scenariocmd"
)

// program is everything that is needed to watch something: the settings are
// checked, the source is open but not yet read, and the watch is empty.
type program struct {
	settings settings
	mode     mode
	source   collector.Source
	raw      collector.Source // the same as it was opened, without decorators
	rules    []collector.RuleSpec
	in       ruleInput // of --rules: people's own, and the file that they are in
	over     time.Time // when what is watched is over; zero: it goes on
	watch    *diary
	said     *teller  // told of what goes wrong beside the source
	notes    []string // what somebody should know, one sentence each
	progress *loading // told of the work before the first reading

	env            environ
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run is the whole program: arguments without the name, environment as
// os.Environ, and the exit status as the result. It touches a terminal only
// when it is to show a screen.
func run(ctx context.Context, args []string, env environ, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && slices.Contains(verbNames(), args[0]) {
		return runVerb(ctx, args[0], args[1:], env, stdout, stderr)
	}
	gs := groups(alerts.Documented())
	all := options(gs)
	flags, rest, err := readFlags(all, args)
	wants := func(name string) bool {
		var s settings
		g, ok := flags.given[name]
		for i := range all {
			if ok && all[i].name == name && all[i].set(&s, g.texts) == nil {
				return len(all[i].get(s)) > 0
			}
		}
		return false
	}
	switch {
	case wants("help") && len(rest) > 0 && slices.Contains(verbNames(), rest[0]):
		return runVerb(ctx, "help", rest[:1], env, stdout, stderr)
	case wants("help"):
		return write(stdout, helpText(gs))
	case wants("version"):
		return write(stdout, versionText())
	case err != nil && !errors.As(err, new(problems)):
		return fail(stderr, err) // the flags are not even understood
	case len(rest) > 0 && slices.Contains(verbNames(), rest[0]):
		return fail(stderr, fmt.Errorf("the verb comes first: stormtop %s, then its flags", rest[0]))
	case len(rest) > 0:
		return fail(stderr, errors.New(unknownWord(rest[0])))
	}
	r, err := resolve(all, flags, env)
	if err != nil {
		return fail(stderr, err)
	}
	switch {
	case r.settings.help: // by a variable
		return write(stdout, helpText(gs))
	case r.settings.version:
		return write(stdout, versionText())
	case r.settings.printConfig:
		note(stderr, r.notes)
		return write(stdout, printConfig(r))
	}
	m, err := r.chooseMode(isTerminal(stdout))
	if err != nil {
		return fail(stderr, err)
	}
	return watchSource(ctx, r, program{
		settings: r.settings, mode: m, notes: r.notes, progress: &loading{}, said: newTeller(stderr),
		env: env, stdin: stdin, stdout: stdout, stderr: stderr,
	})
}

// watchSource opens the source and shows it.
func watchSource(ctx context.Context, r *resolved, p program) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	in, err := readRules(r)
	if err == nil {
		err = alerts.Validate(in.rules)
	}
	if err != nil {
		return fail(p.stderr, r.locate(err))
	}
	p.rules, p.in, p.notes = in.rules, in, append(p.notes, in.notes...)
	if len(in.own) > 0 {
		where := "stormtop tune --rules=FILE judges them"
		if p.mode == screenMode {
			where = "they stand on the Rules screen (4)"
		}
		p.notes = append(p.notes, fmt.Sprintf("%s of --rules are your own: %s", counted(len(in.own), "rule", "rules"), where))
	}
	if name := p.settings.tuning.incidentFile; name != "" {
		more, err := readWindows(name)
		if err != nil {
			return fail(p.stderr, err)
		}
		p.settings.tuning.incidents = append(p.settings.tuning.incidents, more...)
	}
	o, err := openSource(r, p)
	if err != nil {
		return fail(p.stderr, r.locate(err))
	}
	if o.rules != nil {
		p.rules = o.rules
	}
	if o.recording != nil {
		_, p.over = o.recording.Span()
	}
	if p.mode == screenMode {
		p.rules = withEarly(p.rules)
	}
	p.source, p.raw, p.notes = o.source, o.source, append(p.notes, o.notes...)
	if o.told > 0 {
		p.settings.duration = o.told
	}
	if p.mode == convertMode {
		return runConvert(ctx, p, o.recording)
	}
	p.watch = &diary{Watch: watch.New(p.rules, p.kept(o.recording), watch.DefaultTargets), due: o.events, follows: o.follows, inForce: o.rules, early: p.mode == screenMode}
	p.watch.tells, _ = o.source.(collector.Changing)
	if p.mode != onceMode {
		p.watch.calls = newCaller(ctx, p.settings.onAlert, alertPatience, p.said.tell)
		defer p.watch.calls.close()
	}
	if p.settings.record != "" {
		if p.settings.replay != "" && sameFile(p.settings.record, p.settings.replay) {
			return fail(p.stderr, fmt.Errorf("--record=%s is the recording that is played: name another file", collector.Clean(p.settings.record)))
		}
		if p.watch.to, p.source, err = startRecording(p.settings, p.rules, p.source, p.said.tell); err != nil {
			return fail(p.stderr, err)
		}
		defer func() {
			if err := p.watch.to.close(); err != nil {
				note(p.stderr, []string{err.Error()})
			}
		}()
	}
	if p.settings.listen != "" && p.mode != onceMode {
		var wait func() error
		var where string
		if p.source, where, wait, err = publish(ctx, p.settings.listen, p.source, p.raw); err != nil {
			return fail(p.stderr, err)
		}
		p.notes = append(p.notes, "publishing on "+where)
		defer func() {
			cancel()
			if err := wait(); err != nil {
				note(p.stderr, []string{err.Error()})
			}
		}()
	}
	p.source = limited(p.source, p.settings.duration)
	note(p.stderr, p.notes)
	switch p.mode {
	case onceMode:
		return runOnce(ctx, p)
	case plainMode:
		return runPlain(ctx, p)
	}
	return runTUI(ctx, p)
}

// sameFile reports whether two names are of one file, which is there.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// runVerb runs a first word that does something of its own.
func runVerb(ctx context.Context, name string, args []string, env environ, stdout, stderr io.Writer) int {
	asked := len(args) > 0 && (args[0] == "--help" || args[0] == "-h" || args[0] == "help")
	switch name {
	case "lab":
		return labcmd.Command(ctx, args, stdout, stderr)
	case "profiles":
		return profilecmd.Command(args, stdout, stderr)
	case "scenarios":
		return scenariocmd.Command(args, readScenario, stdout, stderr)
	case "simulate":
		return runSimulate(ctx, args, stdout, stderr)
	case "doctor":
		return runDoctor(ctx, args, env, stdout, stderr)
	case "rules":
		return runRules(ctx, args, env, stdout, stderr)
	case "tune":
		return runTune(ctx, args, env, stdout, stderr)
	case "completion":
		if asked {
			return write(stdout, completionHelp)
		}
		return runCompletion(args, stdout, stderr)
	}
	switch {
	case len(args) == 0 || asked:
		return write(stdout, helpText(groups(alerts.Documented())))
	case args[0] == "lab":
		return labcmd.Command(ctx, []string{"--help"}, stdout, stderr)
	case args[0] == "profiles":
		return profilecmd.Command([]string{"--help"}, stdout, stderr)
	case args[0] == "scenarios":
		return scenariocmd.Command([]string{"--help"}, readScenario, stdout, stderr)
	case args[0] == "simulate":
		return runSimulate(ctx, []string{"--help"}, stdout, stderr)
	case args[0] == "doctor":
		return write(stdout, doctorHelp())
	case args[0] == "rules":
		return write(stdout, rulesUsage().help())
	case args[0] == "tune":
		return write(stdout, tuneUsage().help())
	case args[0] == "completion":
		return write(stdout, completionHelp)
	}
	return fail(stderr, errors.New(unknownWord(args[0])))
}

// fail reports what is wrong with the command line or the configuration.
func fail(stderr io.Writer, err error) int {
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(stderr, "stormtop:", shown(strings.TrimRight(line, "\n")))
	}
	return exitUsage
}

func note(stderr io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintln(stderr, "stormtop: note:", shown(n))
	}
}

var userInfo = regexp.MustCompile(`(://)[^/\s"'<>?#]*@`)

// shown is a sentence as it may stand on a terminal: no control characters, and
// no user info, should it have got into a sentence that did not expect it.
func shown(sentence string) string {
	return collector.Clean(userInfo.ReplaceAllString(sentence, "${1}***@"))
}

func write(stdout io.Writer, text string) int {
	if _, err := io.WriteString(stdout, text); err != nil {
		return exitCrashed
	}
	return exitOK
}

// isTerminal asks the operating system, not the terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// span is the time on the screen: all of a past that was asked for, unless it was
// said otherwise.
func (p program) span() time.Duration {
	if s := p.settings; s.past() && s.span == defaultSpan {
		now := time.Now()
		return min(max(s.to.resolve(now).Sub(s.from.resolve(now)), defaultSpan), 7*day)
	}
	return p.settings.span
}

// defaultSpan is the time on the screen unless it was said otherwise.
const defaultSpan = 15 * time.Minute

// kept is how much past is held: of a recording no more than there is.
func (p program) kept(rec *recording.Recording) time.Duration {
	all := kept(p.span())
	if rec != nil && !p.settings.loop {
		from, to := rec.Span()
		all = min(all, max(to.Sub(from), p.span()))
	}
	return all
}

// kept is how much past is held for a screen of the given span: charts round
// their columns up to friendly widths and so may show half as much again.
func kept(span time.Duration) time.Duration { return span + span/2 }

// counted is a number of things: "1 rule", "2 rules".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
