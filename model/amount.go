package model

// Amount says how many of something there are: "1 item", "1,200 items". The
// noun is one that takes an s.
func Amount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Tokens(n).String() + " " + noun + "s"
}
