package itemset

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"cupelscope/model"
	"cupelscope/model/itemset/internal/cupel"
	"cupelscope/model/itemset/internal/documents"
	"cupelscope/model/itemset/internal/record"
	"cupelscope/model/plain"
)

// A builder finds the format of a source and reads the source in that format.

// read reads a source, or passes its runs to Options.run.
func (b *builder) read(name string, data []byte, several bool) error {
	b.name, b.first, b.records, b.firstBreak, b.brokenCount, b.strict = name, len(b.items), 0, "", 0, nil
	b.out.Report.source = ""
	if several {
		b.out.Report.source = filepath.Base(name)
	}
	cut := cutCharacter(data)
	b.cutText = cut > 0
	data, note := decode(data[:len(data)-cut])
	if note != "" {
		b.out.Report.add(Changed, note, "")
	}
	fields := b.opts.Fields.normal()
	given, err := b.split(b.rowsOfTable(data, &fields))
	if err != nil {
		return err
	}
	format, doc, beside, err := b.recognise(given, fields, several)
	if err != nil {
		return err
	}
	row := rowOf(format)
	switch {
	case row == nil:
		return fmt.Errorf("format %q is not known; known are %s", string(format), strings.Join(model.Names(Formats()), ", "))
	case row.alone && several:
		return fmt.Errorf("%s is a %s: it can only be opened alone", name, format)
	}
	if b.opts.run != nil && !several {
		doc.Each = func(number int, read func() error) error { return b.oneRun(number, read, row, doc) }
	}
	err = b.readAs(row, doc)
	if b.passedRun {
		return errRuns
	}
	if err == nil && len(beside) > 0 {
		err = documents.Read(doc.Of(beside, true), b)
	}
	if err == nil {
		err = doc.CheckSelect()
	}
	return b.finish(row, doc, err)
}

// rowsOfTable returns the rows of a table as JSON, and sets the field of the text to its longest
// column; any other text it returns as it is.
func (b *builder) rowsOfTable(data []byte, fields *Fields) []byte {
	separator := separators[strings.ToLower(filepath.Ext(b.name))]
	if separator == 0 || !b.opts.Format.hasFields() {
		return data
	}
	t, err := tableOf(data, separator, *fields)
	switch {
	case err != nil:
		b.out.Report.add(Changed, "no table: "+err.Error(), "")
	case t.ok:
		b.tellTable(&t)
		data = t.rows
		if t.column != "" {
			fields.Text = t.column
		}
	case t.column != "":
		b.out.Report.add(Changed, "a table of which no column holds half of the text: --text names one, to read it by rows", "")
	}
	return data
}

// split splits a text into records. The error says that there is no text.
func (b *builder) split(data []byte) (record.Document, error) {
	opts := record.Options{Full: b.opts.Full && !b.opts.History, History: b.opts.History, Sidechains: b.opts.Sidechains, Select: b.opts.Select}
	doc := record.Split(b.name, data, opts)
	if !doc.Valid {
		text, numbers := withoutNaN(data)
		if numbers > 0 {
			b.out.Report.put(Entry{Outcome: Changed, Reason: "values NaN and Infinity, which JSON does not have, read as null", Count: numbers})
			data, doc = text, record.Split(b.name, text, opts)
		}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		reason := "the file is empty"
		if b.name == "-" {
			reason = "standard input is empty; give a file, or name a built-in scenario with --fixture (see fixtures)"
		}
		return doc, &FormatError{Name: b.name, Reason: reason, Known: true}
	}
	b.data, b.unit = data, doc.Unit()
	return doc, nil
}

// recognise returns the format of a document, the document as the reader of the format takes it, and
// the documents that stand beside its messages.
func (b *builder) recognise(given record.Document, fields Fields, several bool) (Format, record.Document, []record.Part, error) {
	format, doc, instead := b.opts.Format, given, ""
	var beside []record.Part
	if format.hasFields() {
		detected := Auto
		if fields == (Fields{}) {
			detected = detect(doc)
		}
		if detected == Auto && (fields != (Fields{}) || notReadIn(doc) == "") {
			s := search{fields: fields, want: format}
			if detected, doc, beside = s.structured(doc); detected == Auto {
				instead = s.instead()
			} else {
				s.tell(b)
			}
		}
		if detected == Auto && fields.AtPath != "" {
			return Auto, doc, nil, b.unrecognised(doc, instead)
		}
		if format == Auto {
			format = detected
		}
		var err error
		if doc, err = fields.rewritten(doc, b); err != nil {
			return Auto, doc, nil, err
		}
	} else if fields != (Fields{}) {
		return Auto, doc, nil, fmt.Errorf("the format %q has a list and fields of its own: name them for messages or documents only", string(format))
	}
	if b.opts.Format == Auto && b.isText(b.name, format, doc) {
		format = Text
		if !several {
			b.out.Report.add(Changed, "no format recognised: read as text", "")
		}
	}
	if format == Auto {
		return Auto, doc, nil, b.unrecognised(given, instead)
	}
	return format, doc, beside, nil
}

// hasFields reports whether the text may be messages or documents, the names of whose fields
// Options.Fields gives.
func (f Format) hasFields() bool { return f == Auto || f == OpenAI || f == Documents }

// finish checks and records the end of a source, or of one of its runs. err is the
// error of reading it.
func (b *builder) finish(row *format, doc record.Document, err error) error {
	if b.strict != nil {
		err = b.strict
	}
	if errors.Is(err, documents.ErrEmpty) {
		err = &FormatError{Name: doc.Name, Format: row.name, Reason: err.Error()}
	}
	if err = cmp.Or(err, b.ctx.Err()); err == nil {
		err = b.checkWhole(row, doc, len(b.items)-b.first)
	}
	if err != nil {
		return err
	}
	b.pair()
	if len(b.items) == b.first && !row.alone {
		return &FormatError{Name: doc.Name, Format: row.name, Reason: b.out.Report.reasons(), Broken: b.firstBreak, torn: b.brokenCount > 0 && b.out.Report.onlyTorn()}
	}
	b.recordOrigin(doc.Name, row.name, b.first)
	return nil
}

// checkWhole returns an error for a source that is one broken JSON value if the
// damage cannot be limited to a few skipped records: if no single record is broken
// (the break is between them), or if at least as many records are broken as items
// were read, as in a template.
func (b *builder) checkWhole(row *format, doc record.Document, items int) error {
	switch {
	case !doc.IsObject() && !doc.IsArray() || doc.Truncated || doc.Valid || row.read == nil:
		return nil
	case b.brokenCount > 0 && (items == 0 || b.brokenCount < items):
		return nil
	case b.brokenCount > 0:
		return &FormatError{Name: b.name, Format: row.name, Reason: plain.Count(b.brokenCount, "record") + " not JSON, " + plain.Count(items, "item") + " read", Broken: b.firstBreak, torn: true}
	}
	return &FormatError{Name: b.name, Format: row.name, Reason: notJSON, Broken: b.breaks(doc.Place(), doc.Data), torn: true}
}

func (b *builder) readAs(row *format, doc record.Document) error {
	switch row.name {
	case Scenario:
		return b.readScenario(doc)
	case Vectors:
		return b.readVector()
	case Text:
		if why := notText(b.data); why != "" {
			return &FormatError{Name: b.name, Format: Text, Reason: "it is " + why, Known: true}
		}
		b.tellCut()
		b.readText(b.name, strings.TrimPrefix(b.name, "./"), b.data)
		return nil
	}
	if row.text != nil {
		b.tellCut()
	}
	if doc.Truncated {
		line, _ := position(b.data, len(bytes.TrimSpace(b.data)))
		b.out.Report.add(Damaged, "document ends early", fmt.Sprintf("line %d", line))
	}
	return row.read(doc, b)
}

// tellCut reports a text that ends within a character, which no complete text does.
func (b *builder) tellCut() {
	if b.cutText {
		b.out.Report.add(Damaged, "text ends within a character", "")
	}
}

// tellTable reports how a table was read.
func (b *builder) tellTable(t *table) {
	if t.cut {
		b.out.Report.add(Damaged, "table ends within a cell", "")
	}
	for _, row := range t.ragged {
		b.out.Report.add(Changed, "rows with more or fewer cells than columns", fmt.Sprintf("row %d", row))
	}
	if t.column != "" {
		b.out.Report.add(Changed, fmt.Sprintf("a table, read by rows: the longest column, %.60q, is the text, which --text names otherwise", t.column), "")
	}
}

// readVector reads a vector as the scenario that it describes.
func (b *builder) readVector() error {
	b.unit = "item"
	s, err := cupel.ReadVector(b.name, b.data, b)
	if err != nil {
		return err
	}
	for i := range s.Items.Len() {
		b.items = append(b.items, *s.Items.Loaded(i))
	}
	b.out.Set, b.out.Scenario = s.Items, model.Some(s)
	return nil
}
