// Package export writes answers: as JSON and CSV for programs, and as tables
// and Markdown for people.
//
// An answer that consists of rows is one Sheet or several, which can be written
// in every form. A terminal never interprets anything in
// an answer: in a table and in Markdown the text of an item is cleaned, and in
// JSON and CSV, which hold the whole text, control characters are escaped.
// Markdown never contains markup from a file, and CSV never contains a
// formula. It is no part of the library: the explorer uses it too.
package export
