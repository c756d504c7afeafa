//go:build unix

package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"cupelscope/fixtures"
	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/command"
	"cupelscope/simulate/session"
	"cupelscope/tui/internal/explorer"
)

// running is the program under a pseudo-terminal.
type running struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	tty    *os.File
	before *term.State
	screen *vt.Emulator
	out    bytes.Buffer // all that it wrote
	said   sync.Mutex   // held while the terminal says one thing: a terminal answers no query within a paste
}

// The programs that run under the pseudo-terminal.
const (
	released = ""       // cupelscope as it is released
	crashing = "crash"  // an explorer with a mistake where a source is loaded again
	deaf     = "deaf"   // a program that takes the terminal and hears no signal
	beside   = "beside" // a shell that runs the command of its arguments beside a pipe
	job      = "job"    // a shell that runs the command of its arguments as a job, and continues it when it has stopped
)

func init() {
	programs[crashing] = func() {
		ctx, _ := untilSignal()
		streams := command.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Now: time.Now}
		screen := newScreen().screen()
		screen.Show = crash
		os.Exit(command.Program{Streams: streams, Screen: screen, Terminal: true}.Run(ctx, os.Args[1:]))
	}
	programs[deaf] = func() {
		_ = restoring(os.Stdout)
		if _, err := term.MakeRaw(os.Stdin.Fd()); err != nil {
			panic(err)
		}
		fmt.Print(ansi.SetModeAltScreenSaveCursor + ansi.SetModeMouseButtonEvent + "deaf")
		select {}
	}
	programs[beside] = func() {
		panic(syscall.Exec("/bin/sh", append([]string{"sh", "-c", `true | "$@"`, "sh"}, os.Args[1:]...), os.Environ()))
	}
	programs[job] = func() {
		shell := []string{"sh", "-c", `set -m; "$@"; echo it stopped; read line; fg`, "sh"}
		panic(syscall.Exec("/bin/sh", append(shell, os.Args[1:]...), os.Environ()))
	}
}

// crash shows the explorer that is crashing.
func crash(ctx context.Context, o session.Options, _ bool, s command.Streams) error {
	defer restoring(os.Stdout)()
	return explorer.Run(ctx, explorer.Options{
		Source: o.SourceName(),
		Open: func(ctx context.Context) (*explorer.Workspace, error) {
			choices, err := o.Choices(ctx, session.Input{Reader: s.In})
			if err != nil {
				return nil, err
			}
			opened, err := explorer.OpenChosen(ctx, choices)
			if err == nil {
				opened.Reopen = func(context.Context) (*explorer.Workspace, error) { panic("a mistake") }
			}
			return opened, err
		},
	})
}

// here is the folder of this package, which a test may have left.
var here, _ = os.Getwd()

// build builds cupelscope as it is released, once for all tests, and returns its
// path.
var build = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(folder, "cupelscope")
	c := exec.Command("go", "build", "-ldflags", "-s -w", "-o", binary, "cupelscope")
	c.Dir = here
	c.Env = append(os.Environ(), "TMPDIR="+folder) // a test may have set another
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
})

// startExplorer runs one of the programs.
func startExplorer(t *testing.T, program string, args ...string) *running {
	t.Helper()
	path, err := os.Executable()
	if program == released {
		path, err = build()
	}
	musttest.Do(t, err)
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminal here: ", err)
	}
	t.Cleanup(func() { master.Close(); tty.Close() })
	musttest.Do(t, pty.Setsize(master, &pty.Winsize{Cols: 120, Rows: 36}))
	e := &running{t: t, cmd: exec.Command(path, args...), master: master, tty: tty, screen: vt.NewEmulator(120, 36)}
	go func() { // the terminal's answers to queries
		for buf := make([]byte, 1<<10); ; {
			n, err := e.screen.Read(buf)
			e.said.Lock()
			_, _ = master.Write(buf[:n])
			e.said.Unlock()
			if err != nil {
				return
			}
		}
	}()
	// Closing the emulator itself would race with its reader.
	t.Cleanup(func() { e.screen.InputPipe().(io.Closer).Close() })
	e.before = musttest.Of(term.GetState(tty.Fd()))(t)
	e.cmd.Env = append(os.Environ(), runAs+"="+program, "TERM=xterm-256color")
	e.cmd.Stdin, e.cmd.Stdout, e.cmd.Stderr = tty, tty, tty
	e.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	musttest.Do(t, e.cmd.Start())
	t.Cleanup(func() { _ = e.cmd.Process.Kill() })
	return e
}

// sees waits until the terminal shows a text.
func (e *running) sees(text string) {
	e.t.Helper()
	late := time.AfterFunc(5*time.Minute, func() { _ = e.cmd.Process.Kill(); fmt.Fprintln(e.tty, "late"); e.tty.Close() })
	defer late.Stop()
	buf := make([]byte, 64<<10)
	for !strings.Contains(e.screen.String(), text) {
		n, err := e.master.Read(buf)
		e.out.Write(buf[:n])
		_, _ = e.screen.Write(buf[:n])
		if err != nil {
			e.t.Fatalf("%v before %q is on the screen:\n%s", err, text, e.screen.String())
		}
	}
}

func (e *running) types(keys string) {
	e.t.Helper()
	if _, err := io.WriteString(e.master, keys); err != nil {
		e.t.Fatal(err)
	}
}

// typesInPieces types two pieces of one thing, the second later than Bubble Tea waits for it.
func (e *running) typesInPieces(first, rest string) {
	e.t.Helper()
	e.said.Lock()
	defer e.said.Unlock()
	e.types(first)
	time.Sleep(200 * time.Millisecond)
	e.types(rest)
}

// changes makes one change that is not saved.
func (e *running) changes() {
	e.t.Helper()
	e.sees("of 65 in") // before there is a result a key changes nothing
	e.types("l")
	e.sees("u undo")
}

// lastLine is what stands on no screen.
const lastLine = "the test reads no further"

// endsWith fails unless the end comes with an exit code.
func (e *running) endsWith(want int) {
	e.t.Helper()
	code, said := e.ends()
	musttest.Is(e.t, code, want, "exit code", said)
}

// ends waits for the end, and returns the exit code and what stands in the
// terminal after it.
func (e *running) ends() (code int, said string) {
	e.t.Helper()
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		buf := make([]byte, 64<<10)
		for {
			n, err := e.master.Read(buf)
			e.out.Write(buf[:n])
			if err != nil || bytes.Contains(e.out.Bytes(), []byte(lastLine)) { // two reads may have a part of it each
				return
			}
		}
	}()
	err := e.cmd.Wait()
	after, stateErr := term.GetState(e.tty.Fd())
	if stateErr != nil || *after != *e.before {
		e.t.Errorf("the terminal is not as it was: %v, %v, %v", stateErr, after, e.before)
	}
	fmt.Fprintln(e.tty, lastLine) // so that the reader sees all before it
	<-drained
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	}
	out := e.out.String()
	for _, restored := range []string{ansi.ResetModeAltScreenSaveCursor, ansi.SetModeTextCursorEnable, ansi.ResetModeMouseButtonEvent, ansi.ResetModeBracketedPaste} {
		if !strings.Contains(out, restored) {
			e.t.Errorf("the terminal was not sent %q", restored)
		}
	}
	return code, out[strings.LastIndex(out, ansi.ResetModeAltScreenSaveCursor)+1:]
}

// scenarioFile is a scenario of two items in a folder of its own.
func scenarioFile(t *testing.T) string {
	t.Helper()
	agent, _ := fixtures.Find("agent")
	data := musttest.Of(agent.Bytes())(t)
	path := filepath.Join(t.TempDir(), "plan.json")
	musttest.Do(t, os.WriteFile(path, data, 0o644))
	return path
}

// recovered is the scenario in a file of recovered changes.
func recovered(t *testing.T, path string) model.Scenario {
	t.Helper()
	info := musttest.Of(os.Stat(path))(t)
	musttest.Is(t, info.Mode().Perm(), 0o600, "the permissions of", path)
	l, err := itemset.Load(t.Context(), []string{path}, itemset.Options{})
	if err != nil || !l.Scenario.Set {
		t.Fatalf("%s does not open: %v", path, err)
	}
	return l.Scenario.Value
}

func TestASignalKeepsUnsavedChanges(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGSYS} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			path := scenarioFile(t)
			e := startExplorer(t, released, path)
			e.sees("budget")
			e.types("ll")
			e.sees("u undo")
			e.sees("34,000")
			musttest.Do(t, e.cmd.Process.Signal(s))
			code, said := e.ends()
			musttest.Is(t, code, 128+int(s), "exit code")
			kept := filepath.Join(filepath.Dir(path), "plan.recovered.json")
			musttest.Says(t, said, "stopped by a signal ("+s.String()+")", "it says")
			musttest.Says(t, said, "open them with: cupelscope "+kept, "it says")
			if sc := recovered(t, kept); sc.Budget.Fields().MaxTokens != 34_000 {
				t.Errorf("the budget is %v", sc.Budget)
			}
		})
	}
}

// A file that is there is never written over, and where the scenario's folder
// takes none it is the one for temporary files.
func TestWhereUnsavedChangesAreKept(t *testing.T) {
	stop := func(args ...string) string {
		e := startExplorer(t, released, args...)
		e.changes()
		if args[0] == "--fixture" { // flags hold a budget, but no edit
			e.sees("▌") // an item is selected
			e.types("x")
			e.sees("exclude #")
		}
		musttest.Do(t, e.cmd.Process.Signal(syscall.SIGTERM))
		_, said := e.ends()
		_, kept, ok := strings.Cut(said, "open them with: cupelscope ")
		if !ok {
			t.Fatalf("it says %q", said)
		}
		kept, beside, _ := strings.Cut(kept, "\r\n")
		_, earlier, told := strings.Cut(beside, "beside it: ")
		if many := strings.Contains(kept, ".102."); told != many || many && !strings.HasPrefix(earlier, "101\r") {
			t.Errorf("kept in %s it says %q", kept, beside)
		}
		recovered(t, kept)
		return kept
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	path := scenarioFile(t)
	beginning := strings.TrimSuffix(path, ".json") + ".recovered."
	mine := beginning + "json"
	musttest.Do(t, os.WriteFile(mine, []byte("mine"), 0o644))
	for n := 2; n <= 101; n++ { // no number of earlier ones is too large
		musttest.Do(t, os.WriteFile(fmt.Sprintf("%s%d.json", beginning, n), nil, 0o644))
	}
	musttest.Is(t, stop(path), beginning+"102.json", "kept in")
	musttest.Is(t, string(musttest.Of(os.ReadFile(mine))(t)), "mine", "what was there is now")
	t.Chdir(t.TempDir())
	musttest.Is(t, stop("--fixture", "agent"), "agent.recovered.json", "kept in")
	// A folder whose name is too long for another suffix.
	long := filepath.Join(filepath.Dir(path), strings.Repeat("n", 250)+".json")
	musttest.Do(t, os.Rename(path, long))
	musttest.Is(t, stop(long), strings.Repeat("n", 60)+".recovered.json", "kept in")
	// A folder that is gone.
	gone := t.TempDir()
	t.Chdir(gone)
	musttest.Do(t, os.Remove(gone))
	musttest.Is(t, stop("--fixture", "agent"), filepath.Join(temp, "agent.recovered.json"), "kept in")
}

// What was tried on a sample by knobs alone is no file with all of its texts: flags open it again.
func TestKnobsOfASampleAreKeptAsFlags(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	e := startExplorer(t, released, "--fixture", "agent")
	e.changes()
	musttest.Do(t, e.cmd.Process.Signal(syscall.SIGTERM))
	_, said := e.ends()
	_, flags, ok := strings.Cut(said, "open it as it was with: cupelscope ")
	flags, _, _ = strings.Cut(flags, "\r\n")
	if !ok || !strings.Contains(flags, "--max-tokens 33000") {
		t.Fatalf("it says %q", said)
	}
	if left := musttest.Of(os.ReadDir(folder))(t); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	again := startExplorer(t, released, strings.Fields(flags)...)
	again.sees("33,000")
	musttest.Do(t, again.cmd.Process.Signal(syscall.SIGTERM))
	if _, said := again.ends(); strings.Contains(said, "unsaved") {
		t.Errorf("opened again it says %q", said)
	}
}

// Where no file can be written, the command line that opens the same setup is told, and what it cannot say.
func TestFlagsKeepKnobsWhereNoFileCan(t *testing.T) {
	gone := t.TempDir()
	path := scenarioFile(t)
	away := filepath.Join(t.TempDir(), "away")
	t.Chdir(gone)
	musttest.Do(t, os.Remove(gone))
	t.Setenv("TMPDIR", filepath.Join(gone, "none"))
	stop := func(edit bool) string {
		e := startExplorer(t, released, path)
		e.changes()
		if edit {
			e.types("x")
			e.sees("exclude #")
		}
		musttest.Do(t, os.Rename(filepath.Dir(path), away)) // so that its folder takes none
		defer func() { musttest.Do(t, os.Rename(away, filepath.Dir(path))) }()
		musttest.Do(t, e.cmd.Process.Signal(syscall.SIGTERM))
		_, said := e.ends()
		if strings.Contains(said, "lost") || !strings.Contains(said, "no file keeps the unsaved changes: ") {
			t.Errorf("it says %q", said)
		}
		return said
	}
	musttest.Says(t, stop(true), "open it as it was, but without 1 edit, with: cupelscope ", "it says")
	_, flags, ok := strings.Cut(stop(false), "open it as it was with: cupelscope ")
	flags, _, _ = strings.Cut(flags, "\r\n")
	if !ok {
		t.Fatalf("flags %q", flags)
	}
	again := startExplorer(t, released, strings.Fields(flags)...)
	again.sees("33,000")
	musttest.Do(t, again.cmd.Process.Signal(syscall.SIGTERM))
	again.ends()
}

func TestASignalWithoutChangesKeepsNothing(t *testing.T) {
	path := scenarioFile(t)
	e := startExplorer(t, released, path)
	e.sees("budget")
	musttest.Do(t, e.cmd.Process.Signal(syscall.SIGTERM))
	if code, said := e.ends(); code != 143 || strings.Contains(said, "unsaved") {
		t.Errorf("exit code %d, %q", code, said)
	}
	if _, err := os.Stat(strings.TrimSuffix(path, ".json") + ".recovered.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of recovered changes: %v", err)
	}
}

// A mistake of the program outside of Update ends it as in it.
func TestACrashKeepsUnsavedChanges(t *testing.T) {
	path := scenarioFile(t)
	e := startExplorer(t, crashing, path)
	e.changes()
	e.types("r")
	code, said := e.ends()
	if code != 128+int(syscall.SIGABRT) || !strings.Contains(said, "crashed: a mistake") || !strings.Contains(said, "signals_test.go") || !strings.Contains(said, "unsaved changes are kept") {
		t.Errorf("exit code %d, %q", code, said)
	}
	recovered(t, strings.TrimSuffix(path, ".json")+".recovered.json")
}

// The terminal is restored also where the explorer does not listen.
func TestAnotherSignalEndsWhatDoesNotListen(t *testing.T) {
	e := startExplorer(t, deaf)
	e.sees("deaf")
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
				_ = e.cmd.Process.Signal(syscall.SIGTERM)
			}
		}
	}()
	code, _ := e.ends()
	close(ended)
	musttest.Is(t, code, 143, "exit code")
}

// Where the terminal is gone there is nobody to tell.
func TestAClosedTerminalKeepsUnsavedChanges(t *testing.T) {
	path := scenarioFile(t)
	e := startExplorer(t, released, path)
	e.changes()
	e.master.Close()
	if err := e.cmd.Wait(); err == nil {
		t.Error("it ends as if its user had quit")
	}
	recovered(t, strings.TrimSuffix(path, ".json")+".recovered.json")
}

// stops fills what the terminal takes before it is read, which nobody does any more: a
// write of the program waits from now on.
func (e *running) stops() {
	e.t.Helper()
	full, err := os.OpenFile(e.tty.Name(), os.O_WRONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		e.t.Fatal(err)
	}
	defer full.Close()
	raw := musttest.Of(full.SyscallConn())(e.t)
	for err == nil {
		controlErr := raw.Control(func(fd uintptr) { _, err = syscall.Write(int(fd), make([]byte, 1)) })
		if controlErr != nil {
			e.t.Fatal(controlErr)
		}
	}
	if !errors.Is(err, syscall.EAGAIN) {
		e.t.Fatal(err)
	}
}

// A stalled connection or a stopped multiplexer reads nothing of what restores the
// terminal: unsaved changes are kept before it is written, and the program ends all the same.
func TestATerminalThatDoesNotReadKeepsUnsavedChanges(t *testing.T) {
	for _, later := range []syscall.Signal{0, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(fmt.Sprintf("then %d", later), func(t *testing.T) {
			t.Parallel()
			path := scenarioFile(t)
			kept := strings.TrimSuffix(path, ".json") + ".recovered.json"
			e := startExplorer(t, released, path)
			e.changes()
			e.stops()
			musttest.Do(t, e.cmd.Process.Signal(syscall.SIGTERM))
			late := time.AfterFunc(5*time.Minute, func() { _ = e.cmd.Process.Kill() })
			defer late.Stop()
			ended := make(chan struct{})
			go func() {
				for later != 0 {
					select {
					case <-ended:
						return
					case <-time.After(100 * time.Millisecond):
					}
					_, err := itemset.Load(context.Background(), []string{kept}, itemset.Options{})
					if later != syscall.SIGKILL || err == nil {
						_ = e.cmd.Process.Signal(later)
					}
				}
			}()
			_ = e.cmd.Wait()
			close(ended)
			if later != syscall.SIGKILL {
				// A signal that comes when the explorer has ended is not caught.
				if how := e.cmd.ProcessState.Sys().(syscall.WaitStatus); how.ExitStatus() != 143 && (later == 0 || how.Signal() != later) {
					t.Errorf("ended with %v", e.cmd.ProcessState)
				}
				musttest.Is(t, *musttest.Of(term.GetState(e.tty.Fd()))(t), *e.before, "the terminal is not as it was", e.before)
			}
			if sc := recovered(t, kept); sc.Budget.Fields().MaxTokens == 32_000 {
				t.Error("the change is not kept")
			}
		})
	}
}

// ctrl+z gives the terminal back to a shell, and where there is none it says so and stops nothing: the system
// stops no program that nobody could continue.
func TestCtrlZStopsWhereAShellContinues(t *testing.T) {
	path := scenarioFile(t)
	e := startExplorer(t, job, musttest.Of(build())(t), path)
	e.changes()
	e.types("\x1a")
	e.sees("it stopped")
	resize := func(columns, rows int) {
		e.screen.Resize(columns, rows)
		musttest.Do(t, pty.Setsize(e.master, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)}))
	}
	resize(40, 8) // while it is stopped
	e.types("\n")
	e.sees("this is 40x8")
	resize(120, 36)
	e.sees("u undo")
	e.types("qq")
	e.endsWith(0)

	e = startExplorer(t, released, path)
	e.changes()
	e.types("\x1a")
	e.sees("no shell is here")
	e.types("l")
	e.sees("34,000")
	e.types("qq")
	e.endsWith(0)
}

// A paste whose end or a character of which comes in two pieces, as over a slow connection, ends all the same: keys are keys again.
func TestAPasteEndsWhereItIsSplit(t *testing.T) {
	t.Parallel() // it mostly waits
	e := startExplorer(t, released, scenarioFile(t))
	e.sees("budget")
	e.types("/")
	e.sees("filter")
	for at := 1; at < len("\x1b[201~"); at++ {
		e.typesInPieces("\x1b[200~word"+"\x1b[201~"[:at], "\x1b[201~"[at:])
		e.sees(strings.Repeat("word", at))
	}
	const emoji = "\xf0\x9f\x91\xa8"
	for at := 1; at < len(emoji); at++ {
		e.typesInPieces("\x1b[200~"+emoji[:at], emoji[at:]+"\x1b[201~")
		e.sees(strings.Repeat(emoji, at))
	}
	e.types("\x1b")
	time.Sleep(200 * time.Millisecond) // an esc alone
	e.types("l")
	e.sees("u undo")
	e.types("qq")
	e.endsWith(0)
}

// A paste whose end never comes swallows neither ctrl+c nor the keys that are pressed once the terminal has said nothing for a while; what was pasted is kept.
func TestAPasteWithoutAnEndEnds(t *testing.T) {
	t.Parallel() // it mostly waits
	for _, program := range []string{released, beside} {
		t.Run("program "+program, func(t *testing.T) {
			t.Parallel()
			args := []string{scenarioFile(t)}
			if program == beside {
				args = append([]string{musttest.Of(build())(t)}, args...)
			}
			e := startExplorer(t, program, args...)
			e.sees("budget")
			e.types("/")
			e.sees("filter")
			e.types("\x1b[200~tool\x1b") // and half of an end
			time.Sleep(1200 * time.Millisecond)
			e.types("s")
			e.sees("tools")
			e.types("\x1b[200~more\xf0")
			time.Sleep(1200 * time.Millisecond)
			e.types("\x1b[200~all\x1b[201~") // another one
			e.sees("toolsmoreall")
			e.types("\x1b[200~rest")
			time.Sleep(1200 * time.Millisecond)
			e.types(" of a slow paste, no key q q q\x1b[201~")
			e.sees("no key q q q")
			e.types("\x1b")
			time.Sleep(200 * time.Millisecond) // an esc alone
			e.types("\x1b[200~hello")
			time.Sleep(200 * time.Millisecond) // else the keys are of the paste
			e.types("\x03")
			e.endsWith(0)
		})
	}
}
