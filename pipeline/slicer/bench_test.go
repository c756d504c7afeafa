package slicer

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cupelscope/model"
	"cupelscope/model/musttest"
)

var sizes = []struct {
	name string
	n    int
}{{"1k", 1000}, {"10k", 10_000}, {"100k", 100_000}}

// realistic makes n candidates as the pipeline hands them over: tokens
// log-normal with median 300, 5 to 8,000; scores falling from 1.
func realistic(n int) *Input {
	r := rand.New(rand.NewPCG(41, 42))
	in := &Input{}
	for i := range n {
		tok := min(max(300*math.Exp(r.NormFloat64()), 5), 8000)
		in.Items = append(in.Items, int32(i))
		in.Tokens = append(in.Tokens, model.Tokens(tok))
		in.Scores = append(in.Scores, r.Float64())
		in.Kinds = append(in.Kinds, 0)
	}
	slices.SortFunc(in.Scores, func(a, b float64) int { return cmp.Compare(b, a) })
	return in
}

// falling makes n candidates of strictly falling size in density order: the
// worst known set for a profile.
func falling(n int) *Input {
	in := &Input{}
	for i := range n {
		tok := model.Tokens(n - i)
		in.Items = append(in.Items, int32(i))
		in.Tokens = append(in.Tokens, tok)
		in.Scores = append(in.Scores, float64(tok)*(2-float64(i)/float64(n)))
		in.Kinds = append(in.Kinds, 0)
	}
	return in
}

// benchmarkProfile is the profile with all that comes before it, and under
// "prepared" the profile alone, of candidates that were profiled before: for
// Greedy the sort by density is what makes the difference.
func benchmarkProfile(b *testing.B, name string, s Slicer, in *Input, upTo Target) {
	profile := func(b *testing.B, p Prepared) Profile {
		return musttest.Of(p.Profile(context.Background(), upTo))(b)
	}
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		var p Profile
		for b.Loop() {
			p = profile(b, s.Prepare(in))
		}
		b.ReportMetric(float64(len(p.Changes())), "changes")
	})
	b.Run(name+"/prepared", func(b *testing.B) {
		b.ReportAllocs()
		p := s.Prepare(in)
		profile(b, p)
		for b.Loop() {
			profile(b, p)
		}
	})
}

// ofFiveKinds is realistic with five kinds, in any order of arrival.
func ofFiveKinds(n int) *Input {
	in := realistic(n)
	r := rand.New(rand.NewPCG(43, 44))
	in.KindNames = []model.Kind{"Message", "Document", "ToolOutput", "Memory", "SystemPrompt"}
	for i, item := range r.Perm(n) {
		in.Items[i] = int32(item)
		in.Kinds[i] = uint32(r.IntN(5))
	}
	return in
}

func BenchmarkProfile(b *testing.B) {
	quota := must(NewQuota(Greedy{}, atLeast("Document", 30), atMost("ToolOutput", 20), model.Quota{
		Kind: "Memory", MinPercent: model.Some(10.0), MaxPercent: model.Some(50.0)}))
	counts := []model.CountQuota{{Kind: "SystemPrompt", Require: 2, Cap: 10}, {Kind: "Memory", Cap: 20}, {Kind: "Document", Require: 5, Cap: 1000}}
	for _, c := range []struct {
		name string
		Slicer
		upTo Target
	}{
		{"greedy", Greedy{}, 128_000},
		{"greedyTo1M", Greedy{}, 1_000_000},
		{"knapsack100", Knapsack{Bucket: 100}, 128_000},
		{"knapsack10", Knapsack{Bucket: 10}, 128_000},
		{"knapsack1", Knapsack{Bucket: 1}, 128_000},
		{"quota", quota, 128_000},
		{"countQuota", must(NewCountQuota(Greedy{}, model.Degrade, counts...)), 128_000},
		{"countKnapsack100", must(NewCountConstrainedKnapsack(Knapsack{}, model.Degrade, counts...)), 128_000},
		{"stream", Stream{32}, 128_000},
	} {
		for _, size := range sizes {
			if testing.Short() && size.n > 1000 {
				break
			}
			benchmarkProfile(b, c.name+"/"+size.name, c.Slicer, ofFiveKinds(size.n), c.upTo)
		}
	}
	benchmarkProfile(b, "greedy/falling100k", Greedy{}, falling(100_000), 1_000_000)
}

// BenchmarkProfileOfSizes tells what a breakpoint costs without and with three sizes an
// item.
func BenchmarkProfileOfSizes(b *testing.B) {
	for _, s := range []struct {
		name string
		Slicer
	}{{"greedy", Greedy{}}, {"rank", Rank{}}, {"knapsack100", Knapsack{Bucket: 100}}} {
		for _, size := range sizes {
			if testing.Short() && size.n > 1000 {
				break
			}
			for _, cut := range []bool{false, true} {
				in, name := realistic(size.n), "/whole"
				if cut {
					in, name = inThirds(in), "/cut"
				}
				b.Run(s.name+"/"+size.name+name, func(b *testing.B) {
					var changes int
					for b.Loop() {
						p := musttest.Of(s.Prepare(in).Profile(b.Context(), 128_000))(b)
						changes = len(p.Changes())
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(changes), "ns/breakpoint")
				})
			}
		}
	}
}

// inThirds gives each candidate sizes of two thirds, one third and a tenth.
func inThirds(in *Input) *Input {
	in.CutFrom = make([]int32, 1, in.Len()+1)
	for i, whole := range in.Tokens {
		last := whole
		for k, tokens := range []model.Tokens{whole * 2 / 3, whole / 3, whole / 10} {
			if 0 < tokens && tokens < last {
				last = tokens
				in.Cuts = append(in.Cuts, Cut{Of: int32(i), Size: uint8(k) + 1, Tokens: tokens, Score: in.Scores[i] * float64(tokens) / float64(whole)})
			}
		}
		in.CutFrom = append(in.CutFrom, int32(len(in.Cuts)))
	}
	return in
}
