// Package widget has what several views and panes of the explorer share: the
// frame they draw from, lists with a cursor, ranges of budgets, and the words,
// numbers and glyphs that stand for items, budgets and policies.
package widget
