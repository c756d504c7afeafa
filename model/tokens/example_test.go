package tokens_test

import (
	"context"
	"fmt"

	"cupelscope/model/tokens"
)

func ExampleCounter() {
	family, _ := tokens.FindModel("openai/gpt-4o-mini")
	counter, err := tokens.NewCounter(family.Encoding)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, how, err := counter.Count(context.Background(), "What will my model see, and what falls out?")
	fmt.Println(n, how, err, "of", family.Window)
	// Output: 11 counted <nil> of 128,000
}

func ExampleEstimate() {
	fmt.Println(tokens.Estimate("What will my model see, and what falls out?"))
	// Output: 11
}
