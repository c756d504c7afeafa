package itemset

import (
	"time"

	"cupelscope/model"
	"cupelscope/model/internal/jsonwalk"
)

// row is what matters of one line.
type row struct {
	typ, subtype       string
	uuid, parent       string
	at                 model.Option[time.Time]
	badTime            bool
	sidechain, isMeta  bool
	summary, apiError  bool
	message            []byte
	attachment         []byte
	compaction         []byte // what a compact_boundary says of it
	messageID, role    string
	messageModel       string
	messageText, usage []byte
}

func parseRow(record []byte) (r row) {
	for key, value := range jsonwalk.Members(record) {
		switch key {
		case "type":
			r.typ, _ = jsonwalk.String(value)
		case "subtype":
			r.subtype, _ = jsonwalk.String(value)
		case "timestamp":
			if at, ok := parseTime(value); ok {
				r.at = model.Some(at)
			} else {
				r.badTime = !jsonwalk.IsNull(value)
			}
		case "uuid":
			r.uuid, _ = jsonwalk.String(value)
		case "parentUuid":
			r.parent, _ = jsonwalk.String(value)
		case "isSidechain":
			r.sidechain = r.sidechain || jsonwalk.Type(value) == 't'
		case "parent_tool_use_id": // the same, in what the program prints
			r.sidechain = r.sidechain || jsonwalk.Type(value) == '"'
		case "isApiErrorMessage":
			r.apiError = jsonwalk.Type(value) == 't'
		case "isMeta":
			r.isMeta = jsonwalk.Type(value) == 't'
		case "isCompactSummary":
			r.summary = jsonwalk.Type(value) == 't'
		case "message":
			r.message = value
		case "attachment":
			r.attachment = value
		case "compactMetadata", "compact_metadata":
			r.compaction = value
		}
	}
	for key, value := range jsonwalk.Members(r.message) {
		switch key {
		case "id":
			r.messageID, _ = jsonwalk.String(value)
		case "role":
			r.role, _ = jsonwalk.String(value)
		case "model":
			r.messageModel, _ = jsonwalk.String(value)
		case "content":
			r.messageText = value
		case "usage":
			r.usage = value
		}
	}
	return r
}
