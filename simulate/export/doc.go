// Package export writes answers: as JSON and CSV for programs, as tables and
// Markdown for people.
//
// An answer that is made of rows is a Sheet, which every form is written from, or
// a Book of several. Nothing in an answer is obeyed by a terminal: what a table
// or Markdown holds of an item is cleaned, and in JSON and CSV, which hold it
// whole, controls are escaped. Markdown holds no markup of a file's making, and
// CSV no formula.
package export
