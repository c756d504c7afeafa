package command

import (
	"fmt"
	"math/bits"
	"os"
	"strings"
	"testing"

	"cupelscope/model/itemset"
	"cupelscope/pipeline/slicer"
	"cupelscope/simulate/flow"
)

// FORMATS.md gives the bounds of what the verbs read.
func TestFormatsDocumentHasTheBoundsOfVerbs(t *testing.T) {
	text, err := os.ReadFile("../../model/itemset/FORMATS.md")
	if err != nil {
		t.Fatal(err)
	}
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
