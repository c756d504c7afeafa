// Command cupelscope shows what fits: an explorer for LLM context budgets, and
// the same engine as commands.
package main

import (
	"os"

	"cupelscope/tui/program"
)

func main() { os.Exit(program.Main(os.Args[1:])) }
