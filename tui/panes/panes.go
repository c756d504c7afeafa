// Package panes draws the parts of the screen, one struct or function a pane,
// and keeps what belongs to a pane alone: cursors, scroll positions, sorting.
// Panes change nothing in the experiment.
package panes
