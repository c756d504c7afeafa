// Package command is the command line: the table of verbs, their flags, help, shell
// completions and exit codes, and the verbs that need no screen, a file each. A verb is a
// function that takes its options and writes its answer; it parses no command line and
// controls no terminal. The caller supplies the explorer as a Screen. It is no part of the
// library: the folder tui uses it.
//
// Streams.Out receives only the answer; notes and warnings go to Streams.Err.
// Text from files is made safe for a terminal before it is printed for a person.
package command
