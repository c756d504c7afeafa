package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"cupelscope/model"
	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate"
	"cupelscope/simulate/export"
	"cupelscope/simulate/quality"
	"cupelscope/simulate/session"
)

// reportOptions control how a report is written.
type reportOptions struct {
	answerOptions
	HTML    string // a file for the report at every budget, in place of the answer
	Content bool   // put the texts of items into that file
}

// check refuses flags that do not go together, before any work.
func (r reportOptions) check(ctx context.Context, from session.Options) error {
	switch {
	case r.HTML == "" && r.Content:
		return errors.New("--content is for --html, which has no texts without it; the other forms have them")
	case r.HTML == "":
		return nil
	case r.Output != "":
		return errors.New("--html writes the report as a page, so it takes no --output")
	case r.Content && r.NoContent:
		return errors.New("--content and --no-content contradict each other")
	}
	return canWrite(ctx, from, "html", r.HTML, from.Policy)
}

// writeReport runs the pipeline once and writes the report to s.Out. It writes notes
// about what was skipped, assumed or estimated to s.Err.
func writeReport(ctx context.Context, from session.Options, r reportOptions, s Streams) error {
	if err := r.check(ctx, from); err != nil {
		return err
	}
	opened, err := openStudy(ctx, from, studyOptions{answerOptions: r.answerOptions}, s)
	if err != nil {
		return err
	}
	report, err := opened.report(ctx)
	if err != nil {
		return err
	}
	if r.Timings {
		var took time.Duration
		for _, stage := range report.Stages {
			took += stage.Duration
		}
		opened.flow.say("ran in %.1f ms", milliseconds(took))
	}
	o := export.ReportOptions{Basis: basis(opened.Opened), Slack: opened.Slack, ASCII: r.ASCII, NoContent: r.NoContent, Timings: r.Timings}
	o.Why = export.Words(ctx, opened.ranking, report, r.ASCII)
	if o.Recorded, err = simulate.Recorded(opened.Set, opened.Recorded); err != nil && !errors.Is(err, simulate.ErrNotRecorded) {
		o.Notes = append(o.Notes, err.Error())
	}
	if err := opened.addProfile(ctx, &o); err != nil {
		return err
	}
	if r.HTML != "" {
		return r.writePage(report, o, opened)
	}
	if err := opened.addQuality(ctx, &o, report); err != nil {
		return err
	}
	if r.Output == export.AsJSON {
		return export.JSON(until(ctx, s.Out), report, o)
	}
	return s.write(ctx, r.Output, export.ReportSheet(report, o))
}

// writePage writes the report at every budget to --html, and says so.
func (r reportOptions) writePage(report *model.Report, o export.ReportOptions, st *study) error {
	var page bytes.Buffer
	o.NoContent = !r.Content
	if err := export.Page(&page, report, o); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	if err := st.Loaded.Saver().WriteFile(r.HTML, page.Bytes()); err != nil {
		return err
	}
	st.flow.say("wrote %s: every budget up to %v", r.HTML, o.Profile.Axis().End())
	return nil
}

// basis returns what an answer depends on besides items and budget.
func basis(o *session.Opened) export.Basis {
	return export.Basis{Name: o.Name(), Format: string(o.Format), Policy: o.Policy, Guess: o.GuessNote()}
}

// addProfile adds the columns that need a profile. If a profile is too large, or
// the pipeline does not run at the budget less the slack, the table leaves them out
// and says why.
func (st *study) addProfile(ctx context.Context, table *export.ReportOptions) error {
	p, err := simulate.NewProfile(ctx, st.ranking, st.Budget, st.Ceiling)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	table.RiskErr = err
	if err == nil { // else the report itself stands
		table.Profile = p
		table.AtRisk, _, table.RiskErr = p.AtRisk(st.Budget, st.Slack)
	}
	return nil
}

// addQuality adds how much of what was needed is in, if there are labels.
func (st *study) addQuality(ctx context.Context, table *export.ReportOptions, report *model.Report) error {
	if st.Labels.IsZero() {
		return nil
	}
	judge, err := quality.NewJudge(st.ranking, st.Labels, st.SizeText)
	if err != nil {
		return err
	}
	table.Quality, err = export.QualityAt(ctx, judge.Measure(report), st.Labels, judge, table.Profile, quality.DefaultWanted)
	return err
}

// title returns a line that says what was opened, and under which policy.
func title(o *session.Opened) string { return basis(o).Title(o.Set) }

func nameOr(name, other string) string {
	if strings.TrimSpace(name) == "" {
		return other
	}
	return name
}

// asUsual is part of a note that applies to nearly every chat.
const asUsual = "without timestamps: "

// diagnose writes notes about the sources to s.Err: all of them with --verbose, with --quiet what
// was skipped. A table itself says if a budget is guessed.
func (a answerOptions) diagnose(o *session.Opened, s Streams) {
	if a.Quiet {
		s.Err = s.loud
		skipped := itemset.Report{Entries: slices.DeleteFunc(slices.Clone(o.Loaded.Report.Entries), func(e itemset.Entry) bool { return e.Outcome != itemset.Skipped })}
		s.sayAll(skipped.Lines()[1:])
		return
	}
	lines := o.Loaded.Report.Lines()[1:] // without the number of loaded items, which the answer says
	if !a.Verbose {
		lines = mainNotes(o.Loaded.Report)
	}
	lines = append(lines, o.Warnings...)
	if note := o.GuessNote(); note != "" && (a.Output == export.AsJSON || a.Output == export.AsCSV) {
		lines = append(lines, note+"; set it with --max-tokens")
	}
	s.sayAll(lines)
}

// mainNotes returns the lines of a report that change what one may make of the answer: what is
// damaged or was skipped, what a flag reads otherwise, and that no format was recognised. It counts
// the others, as the rows about a session that are no messages, if there are many.
func mainNotes(r itemset.Report) []string {
	const maxNotes = 2
	matters := func(e itemset.Entry) bool {
		return e.Outcome == itemset.Damaged || e.Outcome == itemset.Skipped || strings.Contains(e.Reason, "--") || strings.HasPrefix(e.Reason, "no format recognised")
	}
	main := itemset.Report{}
	r.Sources, r.Estimated = nil, 0 // the answer says both
	var others []itemset.Entry
	for _, e := range r.Entries {
		if matters(e) {
			main.Entries = append(main.Entries, e)
		} else if !strings.Contains(e.Reason, asUsual) {
			others = append(others, e)
		}
	}
	r.Entries = others
	lines, more := main.Lines()[1:], r.Lines()[1:]
	if len(more) > maxNotes {
		more = []string{plain.Count(len(more), "more note") + " on how the source was read: --verbose shows them"}
	}
	return append(lines, more...)
}
