package itemset

import (
	"fmt"
	"strings"
	"testing"

	"cupelscope/model"
)

// Guesses for payloads are of the size that providers charge for such things.
func TestOpaqueTokens(t *testing.T) {
	const kilobyte = 1000
	for _, c := range []struct {
		name        string
		block       string // %s: base64
		bytes       int
		least, most model.Tokens
	}{
		{"a small image", `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}`, kilobyte, 85, 85},
		{"a photograph", `{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,%s"}}`, 300 * kilobyte, 500, 1600},
		{"a huge image", `{"type":"input_image","image_url":"data:image/png;base64,%s"}`, 3000 * kilobyte, 1600, 1600},
		{"an image by its address", `{"type":"image","source":{"type":"url","url":"https://x/%s"}}`, 30, 85, 85},
		{"ten pages of a PDF", `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"%s"}}`, 1000 * kilobyte, 15_000, 40_000},
		{"a file", `{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,%s"}}`, 100 * kilobyte, 1500, 4000},
		{"a minute of sound", `{"type":"input_audio","input_audio":{"format":"wav","data":"%s"}}`, 1900 * kilobyte, 500, 2000},
		{"encrypted thinking", `{"type":"redacted_thinking","data":"%s"}`, 4 * kilobyte, 700, 1100},
		{"a page found", `{"type":"web_search_result","encrypted_content":"%s"}`, 4 * kilobyte, 700, 1100},
		{"what is not known", `{"type":"novelty","data":"%s"}`, 4 * kilobyte, 700, 1100},
		{"base64 as a text", `{"type":"text","text":"%s"}`, 12 * kilobyte, 8_000, 16_000},
	} {
		data := strings.Repeat("QUJD1xyz", c.bytes/6+1)[:c.bytes/3*4]
		l := mustRead(t, `[{"role":"user","content":[`+fmt.Sprintf(c.block, data)+`]}]`, Options{})
		if it := l.Set.Item(0); it.Count != model.Opaque || it.Tokens < c.least || it.Tokens > c.most {
			t.Errorf("%s: %.60s, %v tokens %v, want %v to %v", c.name, it.Content, it.Tokens, it.Count, c.least, c.most)
		}
	}
}
