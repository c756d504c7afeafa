package tokens

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"cupelscope/model/goldentest"
	"cupelscope/model/musttest"
)

// openAIs are the hashes that OpenAI's own library expects of the lists of ranks.
var openAIs = map[string]string{
	"o200k_base":  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
	"cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
	"p50k_base":   "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
	"r50k_base":   "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
}

// original returns the tokens of an encoding by rank, from OpenAI's list. A list may
// leave ranks out, which here are not.
func original(t testing.TB, encoding string) []string {
	t.Helper()
	list := musttest.Of(assets.Assets.ReadFile(encoding + ".tiktoken"))(t)
	if got := fmt.Sprintf("%x", sha256.Sum256(list)); got != openAIs[encoding] {
		t.Fatalf("%s: hash %s, want %s", encoding, got, openAIs[encoding])
	}
	var tokens []string
	before := -1
	for line := range strings.Lines(string(list)) {
		code, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		rank := musttest.Of(strconv.Atoi(number))(t)
		if rank <= before {
			t.Fatalf("%s: rank %d after %d", encoding, rank, before)
		}
		before = rank
		tokens = append(tokens, string(musttest.Of(base64.StdEncoding.DecodeString(code))(t)))
	}
	return tokens
}

// lastMerge returns the ranks of the two parts that a token is merged from last, by
// looking at all pairs before each merge.
func lastMerge(t testing.TB, ranks map[string]int, token string) (left, right int) {
	t.Helper()
	ends := make([]int, len(token)+1) // part i is between ends i and i+1
	for i := range ends {
		ends[i] = i
	}
	for len(ends) > 3 {
		at, lowest := -1, ranks[token] // a later merge is not needed for the token
		for i := range len(ends) - 2 {
			if rank, ok := ranks[token[ends[i]:ends[i+2]]]; ok && rank < lowest {
				at, lowest = i, rank
			}
		}
		if at < 0 {
			t.Fatalf("%q is not merged from its bytes", token)
		}
		ends = slices.Delete(ends, at+1, at+2)
	}
	return ranks[token[:ends[1]]], ranks[token[ends[1]:]]
}

// pack writes a list of ranks as merges.
func pack(t testing.TB, tokens []string) string {
	t.Helper()
	ranks := make(map[string]int, len(tokens))
	for rank, token := range tokens {
		ranks[token] = rank
	}
	var list []byte
	for rank, token := range tokens {
		switch {
		case (len(token) == 1) != (rank < 256):
			t.Fatalf("%q has rank %d", token, rank)
		case len(token) == 1:
			list = append(list, token[0])
		default:
			left, right := lastMerge(t, ranks, token)
			list = binary.AppendUvarint(binary.AppendUvarint(list, uint64(left)), uint64(right))
		}
	}
	return string(list)
}

// The ranks are OpenAI's, and each token is what its own text is merged to.
func TestRanks(t *testing.T) {
	musttest.Alone(t)
	var lists [][]string
	for k, e := range encodings {
		lists = append(lists, original(t, e.name))
		if k < 3 { // the last one has the beginning of the third
			goldentest.Check(t, path.Join("ranks", e.name), pack(t, lists[k]))
		}
	}
	for k, e := range encodings {
		want, v := lists[k], e.load()
		if got := v.tokens(); !slices.Equal(got, want) || len(want) >= 1<<rankBits {
			t.Fatalf("%s: %d tokens, want %d, or others", e.name, len(got), len(want))
		}
		m := merger{vocabulary: v, chunk: chunkBytes}
		for rank, token := range want {
			if n := len(m.encode(nil, token)); n != 1 || m.part[0] != int32(rank) {
				t.Fatalf("%s: %q is merged to %d tokens, the first of rank %d, want %d", e.name, token, n, m.part[0], rank)
			}
		}
	}
}

// What Verify compares with is what tiktoken-go makes itself: the ranks are the same, and so
// is the expression.
func TestReference(t *testing.T) {
	musttest.Alone(t)
	for _, e := range encodings {
		theirs := reflect.ValueOf(reference(t, e.name)).Elem().FieldByName("pbeEncoding").Elem().FieldByName("PatStr").String()
		musttest.Is(t, e.pattern, theirs, e.name, "the expression")
	}
}
