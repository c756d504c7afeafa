package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"cupelscope/model/itemset"
	"cupelscope/model/plain"
	"cupelscope/simulate/internal/flow"
	"cupelscope/simulate/internal/request"
)

// selectCase finds the case that --select names, if the flags name one source. It
// reads the case itself if the source is a BEIR folder, or a file with a case a line that
// itemset.Load reads only alone, of which one must be selected: the error is then a
// *itemset.SelectError. itemset.Load reads any other source and selects from it.
func (c *Choices) selectCase(ctx context.Context) (*Opened, error) {
	if len(c.Options.Sources) != 1 || c.Reading.Format != "" && c.Reading.Format != itemset.Auto {
		return &Opened{}, nil
	}
	source := c.Options.Sources[0]
	folder := isBEIR(source)
	lines := 0
	if !folder {
		var err error
		if lines, err = caseLines(ctx, source); err != nil {
			return nil, err
		}
		if number := c.Reading.Select; lines > 1 && (number < 1 || number > lines) {
			return nil, &itemset.SelectError{Name: source, Unit: "case", Selected: number, Total: lines}
		}
	}
	if folder && c.Options.Select == "" {
		return &Opened{note: "this is a folder of BEIR, read as texts: --select ID opens one of its queries, evaluate measures all"}, nil
	}
	if c.Options.Select == "" || !folder && lines <= 1 && c.labels == nil {
		return &Opened{}, nil
	}
	cases := &Cases{Choices: c, Fallback: c.Fallback(), anyField: true, beir: &beirFiles{c.Options.Run, c.run, c.labels}}
	one := &Opened{labelled: folder}
	var failed error
	enough := errors.New("the case was found")
	err := cases.feed(ctx, func(fill func(*flow.Parcel) (int64, error)) error {
		var p flow.Parcel
		if _, err := fill(&p); err != nil {
			return err
		}
		if _, whole := p.Payload.(wholeSource); whole {
			return enough
		}
		cases.Each(ctx, &p, func(r Case) {
			one.names = caseNames(&p, r.Name, fieldsOfCase(&p))
			if folder || lines > 1 {
				one.Loaded, failed = r.Loaded, r.Err
			}
			if lines > 1 && itemset.IsScenario(p.Line) {
				one.note = noteUnknown(p.Line)
			}
		})
		return enough
	})
	switch {
	case errors.Is(err, enough):
		return one, failed
	case err == nil && folder:
		err = fmt.Errorf("%s: --select: no query with labels has the id %.40q", source, c.Options.Select)
	}
	return nil, err
}

// noteUnknown returns a warning about the fields of a line with a scenario that mean
// nothing, or "".
func noteUnknown(line []byte) string {
	var unknown []string
	known := append(itemset.ScenarioFields(), request.Fields()...)
	for _, m := range itemset.ObjectOf(line) {
		if !slices.Contains(known, m.Key) {
			unknown = append(unknown, m.Key)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return "not known in a scenario, left out: " + plain.Line(strings.Join(unknown, ", "), 200)
}

// caseLines returns the number of lines of a file with a case a line that itemset.Load reads
// only alone, such as a scenario; 0 for any other source. A file of one line is one case.
func caseLines(ctx context.Context, source string) (int, error) {
	file, _ := regular(source)
	if file == nil {
		return 0, nil
	}
	defer file.Close() // only read
	if !severalLines(ctx, file) {
		return 0, nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("%s: %w", source, err)
	}
	lines := flow.NewLines(flow.Unpacked(flow.Until(ctx, file)), flow.MaxLine, 0)
	var room []byte
	for n := 0; ; n++ {
		line, _, err := lines.Next(room)
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil && n < 2:
			return 0, nil // the loader reads what is there
		case err != nil:
			return 0, fmt.Errorf("%s: %w", source, err)
		case n == 0:
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
			if _, alone := itemset.IsCase(line); !alone {
				return 0, nil
			}
		}
		room = line
	}
}

// severalLines reports whether a file has more than one line that is not blank, as far as
// it comes before ctx is done. It holds only the beginning of a line in memory and reads no
// more than the longest line of cases, because the one line may be a large file.
func severalLines(ctx context.Context, file io.Reader) bool {
	lines := flow.NewLines(io.LimitReader(flow.Unpacked(flow.Until(ctx, file)), flow.MaxLine), maxBeginning, 0)
	first, _, err := lines.Next(nil)
	if err == nil {
		_, _, err = lines.Next(first)
	}
	return err == nil
}

// maxBeginning is how much of a line is held to see that it is not blank.
const maxBeginning = 1 << 10
