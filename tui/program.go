package tui

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/itemset/sessions"
	"cupelscope/model/plain"
	"cupelscope/model/relay"
	"cupelscope/simulate/command"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/explorer"
	"cupelscope/tui/internal/theme"
)

// Main runs the program with its arguments, without its name, and returns the exit
// code. A signal ends it with 128 and the signal's number.
func Main(args []string) int {
	ctx, stop := untilSignal()
	defer stop()
	terminal := term.IsTerminal(os.Stdout.Fd()) && smart()
	places := sessions.OfThisMachine()
	ui := newScreen()
	ui.sessions = places
	return command.Program{
		Streams: command.Streams{
			In: os.Stdin, Typed: term.IsTerminal(os.Stdin.Fd()), Out: os.Stdout, Err: os.Stderr, Now: time.Now,
			Width: width(os.Stdout), Colour: terminal && !noColour(), Progress: term.IsTerminal(os.Stderr.Fd()) && smart(),
		},
		Version:  version(),
		Sessions: places,
		Screen:   ui.screen(),
		Terminal: terminal,
		Opts:     os.Getenv(command.OptsVariable),
	}.Run(ctx, args)
}

// archived is where git archive, and so a host's download of the sources, writes the commit.
//
//go:embed archiveversion.txt
var archived string

// version returns what --version prints: the tag of a release, else the commit that
// the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	if ok && strings.Contains(archived, "$") { // a checkout
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return archivedVersion(" " + setting.Value[:min(len(setting.Value), shortCommit)])
			}
		}
	}
	return archivedVersion(archived)
}

// shortCommit is how many letters of a commit tell it from others.
const shortCommit = 12

// archivedVersion returns the tag that the text of archived has, or else the commit.
func archivedVersion(text string) string {
	tag, commit, ok := strings.Cut(strings.TrimSuffix(text, "\n"), " ")
	switch {
	case !ok || strings.Contains(text, "$"): // not from an archive
		return "built from source"
	case tag == "":
		return "built from source, commit " + commit
	}
	return tag
}

// screen is the explorer with its flags.
type screen struct {
	theme   string
	noMouse bool
	start   explorer.Start
	shot    explorer.Shot

	sessions   sessions.Places // where the sessions are that the explorer offers
	noSessions bool
}

func newScreen() *screen { return &screen{theme: string(theme.Auto)} }

// screen returns the explorer as the command line runs it.
func (l *screen) screen() command.Screen {
	return command.Screen{Flags: l.flags, Check: l.check, Unattended: l.unattended, Show: l.show}
}

func (l *screen) flags(o *session.Options) []session.Flag {
	return slices.Concat([]session.Flag{
		{Name: "ceiling", Text: &o.Ceiling, Usage: "the largest budget to look at, in `TOKENS` (default: where everything is in, at most twice the budget or 128k)"},
		{Name: "theme", Text: &l.theme, Offers: model.Names(theme.Names()), Usage: "colours: `THEME` is auto, dark, light or none"},
		{Name: "no-mouse", Bool: &l.noMouse, Usage: "leave the mouse to the terminal, for selecting text"},
		{Name: "follow", Bool: &o.Follow, Usage: "keep reading as the source grows: a session that is still running, a row a line"},
		{Name: "no-sessions", Bool: &l.noSessions, Usage: "do not look for sessions of agents on this machine"},
	}, l.start.Flags(), []session.Flag{
		{Name: "shot", Text: &l.shot.File, Usage: "write what the screen shows to `FILE` and end; it ends in .svg, or in .txt for text without colours"},
		{Name: "keys", Text: &l.shot.Keys, Usage: "the `KEYS` to type before the picture of --shot: characters, and names as in ']]2<enter>'"},
		{Name: "size", Text: &l.shot.Size, Usage: "the screen of --shot in cells, as `WIDTHxHEIGHT` (default 120x36)"},
	})
}

func (l *screen) check() error {
	if _, err := theme.Parse(l.theme); err != nil {
		return fmt.Errorf("--theme: %w", err)
	}
	if err := l.shot.Check(); err != nil {
		return err
	}
	return l.start.Check()
}

func (l *screen) unattended() bool { return l.shot.File != "" }

func (l *screen) show(ctx context.Context, o session.Options, ascii bool, s command.Streams) error {
	if agent := fixtures.Names()[0]; l.start.Tour && (len(o.Sources) > 0 || o.Fixture != "" && o.Fixture != agent) {
		return fmt.Errorf("--tour leads through the fixture %s: give no source and no other fixture", agent)
	}
	if len(o.Sources) == 0 && o.Fixture == "" {
		o.Fixture = fixtures.Names()[0]
		if piped(os.Stdin) && !l.start.Tour && !l.unattended() {
			o.Sources, o.Fixture = []string{"-"}, ""
		}
	}
	if err := o.Followable(); o.Follow && err != nil {
		return fmt.Errorf("--follow: %w", err)
	}
	if o.Follow && l.unattended() {
		return errors.New("--follow and --shot contradict each other: a picture shows one moment")
	}
	if slices.Contains(o.Sources, "-") && s.Typed {
		return errors.New("- reads standard input, and that is the terminal: pipe something in, or give a file")
	}
	choices, err := o.Choices(ctx, session.Input{Reader: s.In, Typed: s.Typed})
	if err != nil {
		return err // said where it was typed, not on a screen of its own
	}
	places := l.sessions
	if l.noSessions {
		places = sessions.Places{}
	}
	opts := explorer.Options{
		Source: o.SourceName(),
		Open:   func(ctx context.Context) (*explorer.Workspace, error) { return explorer.OpenChosen(ctx, choices) },
		OpenOther: func(ctx context.Context, path string) (*explorer.Workspace, error) {
			other, err := choices.Elsewhere(path)
			if err != nil {
				return nil, err
			}
			return explorer.OpenChosen(ctx, other)
		},
		Sessions: places,
		Theme:    theme.Name(l.theme),
		ASCII:    ascii,
		NoColor:  noColour(),
		NoMouse:  l.noMouse,
		Start:    l.start,
		Now:      s.Now,
	}
	if l.unattended() {
		return l.takeShot(ctx, o, opts, s)
	}
	if w, h, err := term.GetSize(os.Stdout.Fd()); err == nil {
		if err := explorer.CheckTerminal(w, h); err != nil {
			return err
		}
	}
	holdHeapFloor()
	relay.KeepOneForKeys()
	defer restoring(os.Stdout)()
	return explorer.Run(ctx, opts)
}

// takeShot writes the picture of --shot, and prints that it did.
func (l *screen) takeShot(ctx context.Context, o session.Options, opts explorer.Options, s command.Streams) error {
	if err := o.CheckWritable(ctx, l.shot.File, o.Policy); err != nil {
		return fmt.Errorf("--shot: %w", err)
	}
	drawn, err := l.shot.Take(ctx, opts)
	if err != nil {
		return err
	}
	if err := (itemset.Saver{}).WriteFile(l.shot.File, drawn); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Err, "cupelscope: wrote %s\n", plain.Line(l.shot.File, 200))
	return err
}

// piped reports whether f is a pipe or a file: something that was meant to be read.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&fs.ModeNamedPipe != 0)
}
