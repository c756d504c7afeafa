package plain

// Texts returns the text of each of all.
func Texts[T any](all []T, text func(T) string) []string {
	texts := make([]string, len(all))
	for k, one := range all {
		texts[k] = text(one)
	}
	return texts
}
