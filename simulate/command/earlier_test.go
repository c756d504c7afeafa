package command

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cupelscope/model/itemset"
	"cupelscope/model/musttest"
	"cupelscope/simulate/session"
)

// Scenarios as earlier commits wrote them open, with every member that they knew and the
// names of checks that they had, and give the report that they gave.
func TestScenariosOfEarlierCommitsOpen(t *testing.T) {
	const dir = "testdata/scenarios-before/"
	names, err := filepath.Glob(dir + "*.json")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		o := session.Options{Sources: []string{name}}
		opened, err := session.Open(context.Background(), o, session.Input{})
		if err != nil || !opened.Scenario.Set {
			t.Fatal(name, err)
		}
		again, err := itemset.MarshalScenario(opened.Scenario.Value)
		if err != nil {
			t.Fatal(name, err)
		}
		if was, _ := os.ReadFile(name); string(was) != string(again) {
			t.Errorf("%s, saved again:\n%s\nwas\n%s", name, again, was)
		}
		out, _, err := ran(writeReport, "", o, reportOptions{answerOptions: answerOptions{Output: "csv"}})
		if err != nil {
			t.Fatal(name, err)
		}
		published := musttest.Of(os.ReadFile(strings.TrimSuffix(name, ".json") + ".csv"))(t)
		was, is := table(t, string(published)), table(t, out)
		if len(was) != len(is) || len(was) < 5 {
			t.Fatalf("%s: %d rows, were %d", name, len(is), len(was))
		}
		for i := range was {
			for column, want := range was[i] {
				if got, ok := is[i][column]; !ok || got != want && column != "why" { // that is a sentence
					t.Errorf("%s, row %d, %s: %q, was %q", name, i, column, got, want)
				}
			}
		}
	}
}

// table is CSV as rows by the names of columns.
func table(t *testing.T, text string) []map[string]string {
	t.Helper()
	lines := musttest.Of(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, cell := range line {
			row[lines[0][k]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}
