package itemset

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"cupelscope/model/internal/jsonwalk"
	"cupelscope/model/itemset/internal/record"
)

// opencode keeps a session in many files below its storage: session/PROJECT/ID.json says
// what it is, message/ID holds a file for each message, and part/MESSAGE a file for each
// part of one. Their names sort by time.

// gathered returns a session of opencode in one document, as opencode export writes it, and
// the data of any other file as it is. All its files together may have Options.MaxBytes.
func (b *builder) gathered(name string, data []byte) ([]byte, error) {
	id, isJSON := strings.CutSuffix(filepath.Base(name), ".json")
	path, err := filepath.Abs(name)
	if !isJSON || err != nil || !strings.HasPrefix(id, "ses_") || !jsonwalk.Valid(data) || !record.Open(data).Holds("projectID", "id="+id) {
		return data, nil
	}
	storage := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	room := b.opts.maxBytes() - int64(len(data))
	messages, ids, err := b.values(filepath.Join(storage, "message", id), &room)
	for i := 0; i < len(messages) && err == nil; i++ {
		var parts [][]byte
		parts, _, err = b.values(filepath.Join(storage, "part", ids[i]), &room)
		messages[i] = fmt.Appendf(nil, `{"info":%s,"parts":[%s]}`, messages[i], bytes.Join(parts, []byte(",")))
	}
	switch {
	case room < 0:
		err = &SizeError{Name: name, Limit: b.opts.maxBytes(), Folder: true}
	case err == nil && len(messages) == 0:
		err = &FormatError{Name: name, Reason: "a session of opencode without messages, which it keeps in storage/message/" + id, Known: true}
	}
	return fmt.Appendf(nil, `{"info":%s,"messages":[%s]}`, data, bytes.Join(messages, []byte(","))), err
}

// values returns the values in the files of JSON in a folder, and the names of the files
// without their ending, both in the order of the names. It takes their size off room and
// ends when none is left. A file that cannot be used is skipped, and a missing folder is
// empty.
func (b *builder) values(folder string, room *int64) (values [][]byte, names []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		return nil, nil, naming(folder, err)
	}
	for _, entry := range entries {
		name, isJSON := strings.CutSuffix(entry.Name(), ".json")
		if !isJSON || *room < 0 {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		value, _, err := b.readFile(quiet(b.ctx), openRegular, path, b.opts.maxBytes())
		if err == nil && !jsonwalk.Valid(value) {
			err = &FormatError{Name: path, Reason: "not JSON", Known: true}
		}
		if err == nil {
			*room -= int64(len(value))
			values, names = append(values, value), append(names, name)
		}
		if err := b.skip(path, err); err != nil {
			return nil, nil, err
		}
	}
	return values, names, nil
}
