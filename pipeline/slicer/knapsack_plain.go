package slicer

import "cupelscope/model"

func (k Knapsack) Prepare(in *Input) Prepared {
	if k.Bucket <= 0 {
		k.Bucket = model.DefaultBucketSize
	}
	return plainKnapsack{in, k.Bucket}
}

type plainKnapsack struct {
	in     *Input
	bucket model.Tokens
}

func (k plainKnapsack) Slice(t Target, dst Selection) (Selection, error) {
	dst = NewSelection(dst, k.in.Len())
	if t <= 0 {
		return dst, nil
	}
	var total int64
	for i, tok := range k.in.Tokens {
		if tok == 0 {
			dst.Add(i)
		}
		total += int64((tok + k.bucket - 1) / k.bucket)
	}
	capacity := min(int64(t)/int64(k.bucket), total)
	dp := make([]int64, capacity+1)
	keep := make([][]bool, k.in.Len())
	for i, tok := range k.in.Tokens {
		w := int64((tok + k.bucket - 1) / k.bucket)
		if tok == 0 || w > capacity {
			continue
		}
		v := value(k.in.Scores[i])
		keep[i] = make([]bool, capacity+1)
		for c := capacity; c >= w; c-- {
			if with := dp[c-w] + v; with > dp[c] {
				dp[c] = with
				keep[i][c] = true
			}
		}
	}
	for i := k.in.Len() - 1; i >= 0; i-- {
		if keep[i] != nil && keep[i][capacity] {
			dst.Add(i)
			capacity -= int64((k.in.Tokens[i] + k.bucket - 1) / k.bucket)
		}
	}
	return dst, nil
}
