package plain

// OneSlip reports whether a and b are equal, or differ in one byte that is
// missing, too many or another, or in two neighbours that changed places.
func OneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	a, b = a[i:], b[i:]
	if len(a) < len(b) {
		return a == b[1:]
	}
	return a == "" || a[1:] == b[1:] || len(a) > 1 && a[0] == b[1] && a[1] == b[0] && a[2:] == b[2:]
}
