package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"stormtop/collector"
	"stormtop/collector/prom"
	"stormtop/views"
)

// runTUI shows the dashboard until the user quits, a signal comes, --for has
// passed or the source can never work. Whatever happens, the terminal is put
// back first and spoken to afterwards.
func runTUI(ctx context.Context, p program) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if p.settings.live() != "" && !p.settings.past() {
		// Little is done each second, by many goroutines: on several cores most of
		// the work would be waking one another.
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	if p.settings.replay != "" || p.settings.past() {
		// What is over is large and holds few pointers: to collect often costs little.
		defer debug.SetGCPercent(debug.SetGCPercent(25))
	}
	look := chooseLook(p.settings, p.env)
	if p.settings.replay == "-" { // the keys come from the terminal then
		tty, err := os.Open("/dev/tty")
		if err != nil {
			return fail(p.stderr, fmt.Errorf("--replay=- needs a terminal for the keys beside standard input: %w", unwrapPath(err)))
		}
		defer tty.Close()
		p.stdin = tty
	}
	if p.watch.to == nil {
		p.watch.to, p.source = newRecorder(p.rules, p.source, p.said.tell)
		defer func() {
			if err := p.watch.to.close(); err != nil {
				note(p.stderr, []string{err.Error()})
			}
		}()
	}
	options := views.Options{
		Glyphs: look.glyphs, Theme: look.theme, AskTheme: look.ask,
		Span: p.span(), Zone: time.UTC, Local: time.Local,
		Demo: p.settings.unasked(), Bell: !p.settings.noBell && !p.settings.unasked(), Retry: retryOf(p.source),
	}
	b := newBoard(p.watch)
	var work team
	var screen *tea.Program
	book := newOwnBook()
	truth := &truths{windows: p.settings.tuning.incidents, ref: p.ref()}
	asked := &asks{
		source: p.raw, rules: p.rules, span: p.span(), board: b, recorder: p.watch.to, settings: p.settings,
		truth: truth, book: book, own: p.in, work: &work, screen: func() *tea.Program { return screen },
	}
	aside := asideOf(p.raw) // before it polls: it looks at what polling changes
	if aside != nil {
		truth.server, truth.alerts, asked.server = aside, p.settings.tuning.alerts, aside
	}
	asked.offer(ctx, &options)
	options.Mark, options.Change = b.mark, b.change
	if h, ok := p.raw.(interface{ Hold(func(bool)) }); ok && p.settings.duration == 0 {
		h.Hold(func(on bool) { b.ended(ctx, on) })
	}
	var model tea.Model = views.New(options)
	crashAt := p.env.get(crashVariable)
	if crashAt == "draw" {
		model = crasher{model}
	}
	screen = tea.NewProgram(model, look.programOptions(p)...)
	p.said.Listen(func(err error) { screen.Send(views.NoticeMsg{Text: err.Error(), Bad: true}) })
	p.progress.Listen(func(pr prom.Progress) { screen.Send(views.ProgressMsg{Text: pr.Doing()}) })

	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
	defer signal.Stop(signals)

	work.end = screen.Quit
	tell := func(m views.OwnRulesMsg) { screen.Send(m) }
	switch {
	case aside != nil:
		o := &ownJudge{server: aside, own: p.in.own, book: book, span: p.span(), past: p.settings.past(), board: b, send: tell}
		work.start(func() error { return o.run(ctx) })
	case len(p.in.own) > 0:
		work.start(func() error { tell(unserved(p.in.own, book)); return nil })
	}
	work.start(func() error {
		if crashAt == "source" {
			panic("forced by a test: source")
		}
		err := pump(ctx, p.source, b, func(*collector.Reading, []collector.Event) error { b.changed(); return nil })
		switch {
		case err != nil || ctx.Err() != nil:
		case p.settings.duration > 0:
			screen.Quit()
		default:
			b.ended(ctx, true)
		}
		return err
	})
	if c, ok := p.raw.(interface{ Compete(context.Context) error }); ok {
		work.start(func() error { return c.Compete(ctx) })
	}
	work.start(func() error { return b.send(ctx, screen) })
	work.start(func() error {
		return p.watch.to.watch(ctx, func(msg views.RecordingMsg) { screen.Send(msg) })
	})
	work.start(func() error {
		if crashAt == "tick" {
			panic("forced by a test: tick")
		}
		return tick(ctx, screen)
	})
	work.start(func() error {
		select {
		case <-signals:
			screen.Quit()
		case <-ctx.Done():
		}
		return nil
	})

	_, err := screen.Run()
	cancel()
	failure := work.wait()
	var c *crash
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return exitCrashed // Bubble Tea has printed the trace
	case errors.As(failure, &c):
		fmt.Fprintln(p.stderr, c)
		return exitCrashed
	case failure != nil && !errors.Is(failure, context.Canceled):
		return fail(p.stderr, failure)
	case err != nil:
		fmt.Fprintf(p.stderr, "stormtop: the terminal cannot be used: %v\n", err)
		return exitCrashed
	}
	if err := p.watch.to.failure(); err != nil {
		note(p.stderr, []string{err.Error()})
	}
	if err := p.text().Summary(p.stdout, b.snapshot()); err != nil {
		return exitCrashed
	}
	return exitOK
}

// asideOf asks the server of a source beside the polling, nil where there is none.
func asideOf(src collector.Source) *prom.Client {
	switch s := src.(type) {
	case *prom.Source:
		return s.Aside()
	case *pastOf:
		return s.server.Aside()
	case *learning:
		return s.Source.Aside()
	}
	return nil
}

// ref is what times that count back from now count back from: the end of what is
// over, else now.
func (p program) ref() time.Time {
	if !p.over.IsZero() {
		return p.over
	}
	now := time.Now()
	if p.settings.past() {
		return p.settings.to.resolve(now)
	}
	return now
}

func retryOf(src collector.Source) func() {
	if r, ok := src.(collector.Retrier); ok {
		return r.Retry
	}
	return nil
}

// tick tells the screen the time, each second.
func tick(ctx context.Context, screen *tea.Program) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	screen.Send(views.TickMsg{At: time.Now()})
	for {
		select {
		case at := <-t.C:
			screen.Send(views.TickMsg{At: at})
		case <-ctx.Done():
			return nil
		}
	}
}

// team is the goroutines behind a screen. None of them may wreck the terminal: a
// panic is caught and ends the program in order, as an error does.
type team struct {
	end   func()
	wg    sync.WaitGroup
	once  sync.Once
	first error
}

func (t *team) start(f func() error) {
	t.wg.Go(func() {
		if err := guard(f); err != nil {
			t.once.Do(func() { t.first = err })
			t.end()
		}
	})
}

// wait waits for all and returns what went wrong first.
func (t *team) wait() error {
	t.wg.Wait()
	return t.first
}

// programOptions are how Bubble Tea is to treat the terminal.
func (l look) programOptions(p program) []tea.ProgramOption {
	out := []tea.ProgramOption{
		tea.WithInput(p.stdin), tea.WithOutput(p.stdout), tea.WithEnvironment(p.env),
		tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond),
	}
	if l.theme == views.Mono {
		out = append(out, tea.WithColorProfile(colorprofile.ASCII))
	}
	return out
}

// framesPerSecond bounds how often the screen is written and so how long a key
// waits for its answer; nothing is written while nothing changes.
const framesPerSecond = 22

// crashVariable names where a test wants a panic: "source", "draw" or "tick".
// Panics are otherwise impossible to order, and what they do to a terminal must
// be tested on the real program.
const crashVariable = "STORMTOP_TEST_CRASH"

// crasher is a model that panics when it is first drawn.
type crasher struct{ tea.Model }

func (crasher) View() tea.View { panic("forced by a test: draw") }
