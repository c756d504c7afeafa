package session_test

import (
	"context"
	"fmt"
	"strings"

	"cupelscope/simulate/session"
)

// A conversation is loaded and its texts are counted exactly in one call. The
// budget of an Opened is what was asked for, its policy the one that suits the
// source.
func ExampleOpenCounted() {
	const chat = `{"model": "gpt-4o", "messages": [
		{"role": "system", "content": "You answer in one sentence."},
		{"role": "user", "content": "What is in the file?"}]}`
	opened, err := session.OpenCounted(context.Background(), session.Options{Budget: map[string]string{"maxTokens": "8k"}}, session.Input{Reader: strings.NewReader(chat)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(opened.Format, "counted with", opened.Encoding(), "under", opened.Policy.Name, "at", opened.Budget.MaxTokens())
	for i := range opened.Set.Len() {
		item := opened.Set.Item(i)
		fmt.Println(item.Tokens, item.Count, item.Kind, item.Content)
	}
	// Output:
	// openai counted with o200k_base under chat at 8,000
	// 6 counted SystemPrompt You answer in one sentence.
	// 6 counted Message What is in the file?
}
