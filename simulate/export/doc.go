// Package export writes answers: as JSON for programs, as a table for people.
// Everything that a table prints of an item is made safe for a terminal; JSON
// holds it as it is.
package export
