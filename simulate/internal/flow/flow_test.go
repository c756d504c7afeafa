package flow

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"cupelscope/model/musttest"
)

// echo answers a line with its number and length after a while that depends on
// the line, so that answers overtake each other.
func echo(jobs int) Flow {
	return Flow{
		Jobs: jobs, Done: func(*Parcel) {},
		Answer: func(_ context.Context, p *Parcel) {
			for range p.Number * 7919 % 13 {
				runtime.Gosched()
			}
			p.Out = fmt.Appendf(p.Out, "%d:%d:%v\n", p.Number, len(p.Line), p.TooLong)
		},
	}
}

func linesOf(r io.Reader, max int) Feeder { return NewLines(r, max, 0).Feed("") }

// inPieces is a reader of n bytes at most at a time.
type inPieces struct {
	r io.Reader
	n func() int
}

func (p inPieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n())]) }

func TestFlowKeepsTheOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, jobs := range []int{1, 2, 7, 40} {
		var in, want strings.Builder
		number := 0
		for range 2000 {
			number++
			n := rng.IntN(40)
			if rng.IntN(300) == 0 {
				n = 1<<18 + rng.IntN(1<<19)
			}
			in.WriteString(strings.Repeat("x", n))
			in.WriteString("\n")
			if n > 0 {
				fmt.Fprintf(&want, "%d:%d:%v\n", number, min(n, 500_000), n > 500_000)
			}
		}
		in.WriteString("last")
		fmt.Fprintf(&want, "%d:4:false\n", number+1)
		var out bytes.Buffer
		r := inPieces{strings.NewReader(in.String()), func() int { return 1 + rng.IntN(1<<17) }}
		musttest.Do(t, echo(jobs).Run(context.Background(), linesOf(r, 500_000), &out))
		musttest.Is(t, out.String(), want.String(), jobs, "jobs")
	}
}

func TestFlowEnds(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blank lines", "\n \r\n\t", ""},
		{"no last newline", "a\nbb", "1:1:false\n2:2:false\n"},
		{"a last newline", "a\nbb\n", "1:1:false\n2:2:false\n"},
		{"a byte order mark", "\xef\xbb\xbfa", "1:1:false\n"},
		{"a mark alone", "\xef\xbb\xbf", ""},
		{"half a mark", "\xef\xbb", "1:2:false\n"},
		{"numbers count blank lines", "\n\na\n\nb", "3:1:false\n5:1:false\n"},
		{"as long as may be", "1234567890\nb", "1:10:false\n2:1:false\n"},
		{"longer", "12345678901\nb", "1:10:true\n2:1:false\n"},
		{"longer, the last", "b\n12345678901", "1:1:false\n2:10:true\n"},
	} {
		var out bytes.Buffer
		if err := echo(2).Run(context.Background(), linesOf(strings.NewReader(c.in), 10), &out); err != nil || out.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, out.String(), err, c.want)
		}
	}
}

// Whoever waits for each answer before the next question gets it.
func TestFlowAnswersLineByLine(t *testing.T) {
	questions, ask := io.Pipe()
	hear, answers := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- echo(3).Run(context.Background(), linesOf(questions, 100), answers)
		answers.Close()
	}()
	for i := range 20 {
		musttest.Of(io.WriteString(ask, strings.Repeat("x", i+1)+"\n"))(t)
		want := fmt.Sprintf("%d:%d:false\n", i+1, i+1)
		got := make([]byte, len(want))
		if _, err := io.ReadFull(hear, got); err != nil || string(got) != want {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	ask.Close()
	musttest.Do(t, <-ended)
}

// endless gives lines without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = "line\n"[i%5]
	}
	return len(b) / 5 * 5, nil
}

// after is a writer that fails, or calls something, after some bytes.
type after struct {
	left int
	then func() error
	all  bytes.Buffer
}

func (w *after) Write(b []byte) (int, error) {
	w.all.Write(b)
	if w.left -= len(b); w.left < 0 {
		if err := w.then(); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

func TestFlowStops(t *testing.T) {
	full := errors.New("full")
	w := &after{left: 100_000, then: func() error { return full }}
	if err := echo(3).Run(context.Background(), linesOf(endless{}, 100), w); !errors.Is(err, full) {
		t.Errorf("a full disk: %v", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	w = &after{left: 100_000, then: func() error { cancel(); return nil }}
	if err := echo(3).Run(ctx, linesOf(endless{}, 100), w); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if lines := strings.Split(w.all.String(), "\n"); lines[len(lines)-1] != "" || !strings.HasPrefix(lines[len(lines)-2], strconv.Itoa(len(lines)-1)+":") {
		t.Errorf("ends with %q", lines[len(lines)-2:])
	}

	ctx, cancel = context.WithCancel(context.Background())
	silent, nobody := io.Pipe() // a terminal where nothing is typed
	defer nobody.Close()
	go cancel()
	musttest.Is(t, echo(3).Run(ctx, linesOf(silent, 100), io.Discard), context.Canceled, "cancelled while it waits for input")
}

func TestFlowReadError(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("a\nb\nhalf a li"), errReader{broken})
	var out bytes.Buffer
	err := echo(2).Run(context.Background(), linesOf(in, 100), &out)
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "reading line 3") {
		t.Errorf("%v", err)
	}
	musttest.Is(t, out.String(), "1:1:false\n2:1:false\n", "what was whole is not answered")
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// However many lines there are, only so many are on their way at a time.
func TestFlowMemoryIsBounded(t *testing.T) {
	const jobs = 3
	f := echo(jobs)
	seen := map[*Parcel]bool{}
	f.Done = func(p *Parcel) { seen[p] = true }
	musttest.Do(t, f.Run(context.Background(), linesOf(strings.NewReader(strings.Repeat("line\n", 10_000)), 100), io.Discard))
	if len(seen) > jobs*parcelsPerJob {
		t.Errorf("%d parcels for %d jobs", len(seen), jobs)
	}
	// Of lines that large one is held at a time, however many parcels are free: each is
	// answered once the next one asks for its place.
	var written atomic.Int64
	next := make(chan struct{}, 20)
	f.Answer = func(ctx context.Context, _ *Parcel) {
		select {
		case <-next:
		case <-ctx.Done():
		}
	}
	f.Done = func(*Parcel) { written.Add(1) }
	err := f.Run(musttest.Within(t), func(put Put) error {
		for k := range int64(cap(next)) {
			err := put(func(*Parcel) (int64, error) {
				if k > 0 {
					next <- struct{}{}
				}
				return 1 << 28, nil
			})
			if err != nil {
				return err
			}
			if written.Load() < k {
				t.Errorf("line %d is held while %d of those before it are written", k, written.Load())
			}
		}
		next <- struct{}{}
		return nil
	}, io.Discard)
	musttest.Is(t, err, nil)
}

// A thousand inputs in one flow, of which many have nothing to answer: every
// parcel comes back.
func TestFlowOfManyInputs(t *testing.T) {
	f := echo(1)
	for _, text := range []string{"a\n", "a", "", "\n\n", "a\n\n \n", "\xef\xbb\xbf"} {
		var out bytes.Buffer
		want := 0
		err := f.Run(musttest.Within(t), func(put Put) error {
			for range 1000 {
				if err := linesOf(strings.NewReader(text), 100)(put); err != nil {
					return err
				}
			}
			return nil
		}, &out)
		if strings.Contains(text, "a") {
			want = 1000
		}
		if got := strings.Count(out.String(), "\n"); err != nil || got != want {
			t.Errorf("%q a thousand times: %d answers, want %d; %v", text, got, want, err)
		}
	}
}

func TestUnpacked(t *testing.T) {
	long := strings.Repeat("a line\n", 1<<16)
	for _, text := range []string{"", "a", "\x1f\x8b", "\x1f\x8b\x09", "{}\n", long} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		io.WriteString(w, text)
		w.Close()
		for _, in := range []string{text, packed.String()} {
			if got, err := io.ReadAll(Unpacked(strings.NewReader(in))); string(got) != text || err != nil {
				t.Errorf("%.10q: %.10q, %v", in, got, err)
			}
		}
		for n := len(gzipMagic); n < min(packed.Len(), 100); n++ {
			if _, err := io.ReadAll(Unpacked(strings.NewReader(packed.String()[:n]))); err == nil {
				t.Errorf("%.10q: no error for the first %d bytes", text, n)
			}
		}
	}
}

// What a line has beyond its bound is read only for the next line, and a line on which a large file may stand
// is held once.
func TestALongLineIsNotReadToItsEnd(t *testing.T) {
	const max, size = 4 * readBytes, 100 * readBytes
	in := strings.NewReader(strings.Repeat("x", size) + "\nnext")
	lines := NewLines(in, max, size)
	line, tooLong, err := lines.Next(nil)
	if err != nil || !tooLong || len(line) != max || cap(line) > max+max/4 || in.Len() < size-max-2*readBytes {
		t.Errorf("%d bytes, room for %d, too long %v, %v; %d bytes are left", len(line), cap(line), tooLong, err, in.Len())
	}
	if line, tooLong, err = lines.Next(line); err != nil || tooLong || string(line) != "next" || lines.Number != 2 {
		t.Errorf("line %d: %q, %v, %v", lines.Number, line, tooLong, err)
	}
}

// A line that was looked at comes once more, and all that was read is read again with the same numbers of lines.
func TestLinesComeBack(t *testing.T) {
	for _, text := range []string{"a\nb", "\n \na\nb\n"} {
		lines := NewLines(strings.NewReader(text), 10, 0)
		first, _, _ := lines.Next(nil)
		if all, err := io.ReadAll(lines.All(first)); err != nil || strings.Count(string(all[:bytes.IndexByte(all, 'a')]), "\n") != lines.Number-1 || !bytes.HasPrefix(all[lines.Number-1:], []byte("a\nb")) {
			t.Errorf("%q: %q, %v", text, all, err)
		}
		lines = NewLines(strings.NewReader(text), 10, 0)
		first, _, _ = lines.Next(nil)
		lines.Back(first)
		number := lines.Number
		for _, want := range []string{"a", "b"} {
			if line, _, err := lines.Next(nil); err != nil || string(line) != want || lines.Number != number {
				t.Errorf("%q: line %d is %q, %v; want %d, %q", text, lines.Number, line, err, number, want)
			}
			number++
		}
	}
}

// The end of a line is not looked for without end: the error names the line and the bound. What is before it is answered.
func TestAnEndlessLineEnds(t *testing.T) {
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader("a\n"), io.LimitReader(zeros{}, 3<<30), strings.NewReader("\nb"))
	err := echo(2).Run(t.Context(), linesOf(in, 100), &out)
	if err == nil || !strings.Contains(err.Error(), "line 2 goes on for more than 1,073,741,824 bytes") || out.String() != "1:1:false\n2:100:true\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// zeros is a device that gives nothing but zeros.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// What a line has beyond its bound is told, though all before it be blank.
func TestALongBlankBeginningIsNoBlankLine(t *testing.T) {
	var out bytes.Buffer
	err := echo(1).Run(t.Context(), linesOf(strings.NewReader(strings.Repeat(" ", 11)+"a\nb"), 10), &out)
	if err != nil || out.String() != "1:10:true\n2:1:false\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// More workers than are of use cost memory only.
func TestWorkersAreBounded(t *testing.T) {
	musttest.Is(t, musttest.Of(Parallel(9_999_999_999))(t), 1024)
}
