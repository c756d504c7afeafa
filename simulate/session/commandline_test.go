package session_test

import (
	"context"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
	"cupelscope/simulate"
	"cupelscope/simulate/session"
)

// Every flag that says how sources are read is repeated; those of budget and
// policy follow from what is on the screen.
func TestReproduceRepeatsHowSourcesAreRead(t *testing.T) {
	opened := musttest.Of(session.Open(context.Background(), session.Options{Fixture: "agent"}, session.Input{}))(t)
	follows := " Sources Fixture Budget Slots Slack Ceiling Query Follow Policy Preset Slicer BucketSize Placer Overflow NoDedup KeepPairs Shrink ShrinkPinned "
	fields := reflect.TypeFor[session.Options]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		if strings.Contains(follows, " "+name+" ") {
			continue
		}
		var o session.Options
		switch f := reflect.ValueOf(&o).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("7")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(7)
		case reflect.Float64:
			f.SetFloat(7)
		case reflect.Struct: // of texts: each is a flag of its own
			for k := range f.NumField() {
				f.Field(k).SetString("7")
			}
			all, _ := o.Reproduce(opened, opened.Policy, opened.Budget.Fields(), opened.Slack, model.Edits{})
			f.Field(0).SetString("")
			if words, _ := o.Reproduce(opened, opened.Policy, opened.Budget.Fields(), opened.Slack, model.Edits{}); len(all) != len(words)+2 || len(words) < 2*(f.NumField()-1) {
				t.Errorf("a part of %s is lost: %q", name, all)
			}
		default:
			t.Errorf("%s: of a kind that this test does not know", name)
		}
		plain, _ := session.Options{}.Reproduce(opened, opened.Policy, opened.Budget.Fields(), opened.Slack, model.Edits{})
		if words, _ := o.Reproduce(opened, opened.Policy, opened.Budget.Fields(), opened.Slack, model.Edits{}); len(words) <= len(plain) {
			t.Errorf("%s is lost: %q", name, words)
		}
	}
}

// A slack that is the guess for its budget is guessed again where the line is read.
func TestReproduceLeavesOutAGuessedSlack(t *testing.T) {
	opened := musttest.Of(session.Open(t.Context(), session.Options{Fixture: "retrieval"}, session.Input{}))(t)
	opened.Scenario.Set = false
	budget := opened.Budget.Fields()
	for slack, told := range map[model.Tokens]bool{simulate.GuessSlack(budget): false, simulate.GuessSlack(budget) + 1: true} {
		words, _ := session.Options{}.Reproduce(opened, opened.Policy, budget, slack, model.Edits{})
		musttest.Is(t, slices.Contains(words, "--slack"), told, slack, words)
	}
}

// A shell reads the words back.
func TestShellLine(t *testing.T) {
	words := []string{"plain", "two words", "it's", "$HOME", "*", "", "a\nb\tc\x1b[2J", "back\\slash '", "\xff\xfe", "世界", "--x=~", "#1"}
	if got := session.ShellLine(words...); !strings.HasPrefix(got, `plain 'two words' 'it'\''s' '$HOME' '*' '' $'a\x0ab`) || strings.ContainsRune(got, 0x1b) {
		t.Errorf("%s", got)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	out := musttest.Of(exec.Command(bash, "-c", `for w in "$@"; do printf '%s\0' "$w"; done; for w in `+session.ShellLine(words...)+`; do printf '%s\0' "$w"; done`).Output())(t)
	musttest.Is(t, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), words, "bash")
}
