// Command cupelscope shows what fits: an explorer for LLM context budgets, and
// the same engine as commands.
package main

import (
	"os"

	"cupelscope/tui"
)

func main() { os.Exit(tui.Main(os.Args[1:])) }
