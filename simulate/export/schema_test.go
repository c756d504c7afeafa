package export

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"cupelscope/model/musttest"
)

// TestSchemasReferToNoOtherFile: what a schema refers to is a definition of its own.
func TestSchemasReferToNoOtherFile(t *testing.T) {
	refs := 0
	for _, name := range SchemaNames() {
		var doc struct {
			Defs map[string]any `json:"$defs"`
		}
		text := musttest.Of(SchemaOf(name))(t)
		musttest.Do(t, json.Unmarshal(text, &doc))
		for _, ref := range regexp.MustCompile(`"\$ref": "(.*)"`).FindAllStringSubmatch(string(text), -1) {
			if refs++; doc.Defs[strings.TrimPrefix(ref[1], "#/$defs/")] == nil {
				t.Errorf("%s refers to %s", name, ref[1])
			}
		}
	}
	if _, err := SchemaOf("common"); refs == 0 || err == nil || !strings.Contains(err.Error(), "sweep") {
		t.Errorf("%d references; what has no schema: %v", refs, err)
	}
}
