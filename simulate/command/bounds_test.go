package command

import (
	"bytes"
	"fmt"
	"io"
	"math/bits"
	"os"
	"strings"
	"testing"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/session"
)

// A line of a batch that is longer than flow.MaxLine gets an error as its answer, and the
// line after it its own.
func TestALineOfABatchIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it holds 256 MB")
	}
	const line = `{"id":1,"policy":{"scorers":[{"type":"reflexive","weight":1}]},"budget":{"maxTokens":9},"items":[{"content":"a","tokens":6}]}`
	var out, said bytes.Buffer
	in := io.MultiReader(io.LimitReader(blanks{}, flow.MaxLine+1-int64(len(line))), strings.NewReader(line+"\n"+line+"\n"))
	musttest.Do(t, answerBatch(t.Context(), session.Options{Sources: []string{"-"}}, batchOptions{Jobs: 1}, Streams{In: in, Out: &out, Err: &said}))
	first, second, _ := strings.Cut(out.String(), "\n")
	if !strings.Contains(first, `"error"`) || strings.Contains(second, `"error"`) {
		t.Errorf("%s", &out)
	}
}

// blanks is white space without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// FORMATS.md gives the bounds of what the verbs read.
func TestFormatsDocumentHasTheBoundsOfVerbs(t *testing.T) {
	text := musttest.Of(os.ReadFile("../../model/itemset/FORMATS.md"))(t)
	for _, row := range []string{
		fmt.Sprintf("| a line of a batch | %d MiB |", flow.MaxLine>>20),
		fmt.Sprintf("| the file of a policy or of checks | %d MiB |", itemset.MaxSmallBytes>>20),
		fmt.Sprintf("| changes of a profile | 2^%d |", bits.Len(slicer.MaxRecords)-1),
	} {
		if !strings.Contains(string(text), "\n"+row) {
			t.Errorf("FORMATS.md has not %q", row)
		}
	}
}
