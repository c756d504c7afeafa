package tokens

import (
	"context"
	"testing"

	"cupelscope/model"
)

func TestPerCharactersRoundsUp(t *testing.T) {
	for _, c := range []struct {
		text string
		want model.Tokens
	}{{"", 0}, {"a", 1}, {"abcd", 1}, {"abcde", 2}, {"äöü€", 1}, {"äöü€x", 2}, {"\xff\xff\xff\xff\xff", 2}} {
		n, count, err := PerCharacters(4).Count(context.Background(), c.text)
		if err != nil || n != c.want || count != model.Estimated {
			t.Errorf("%q: %d, %v, %v; want %d, estimated", c.text, n, count, err, c.want)
		}
	}
}
