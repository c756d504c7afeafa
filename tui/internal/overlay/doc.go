// Package overlay has what is drawn over a view for a while, an overlay a file: the jump to
// an item, a list to open from, a menu, the picker of files, a prompt, the reader of one item
// and the report on loading.
package overlay
