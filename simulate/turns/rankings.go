package turns

import (
	"context"
	"sync"

	"cupelscope/pipeline"
)

// rankingsBytes is how much Rankings remembers at most.
const rankingsBytes = 64 << 20

// Rankings remembers how the items before each request of one session rank, under policies
// that take no shortlist. That does not depend on the budget, nor on the slicer and the
// placer, so it saves ranking them again when only these change. It holds at most 64 MB by
// the estimate of pipeline.Ranking.Bytes, those rankings that came first. It is safe for
// concurrent use.
type Rankings struct {
	session *Session

	mu    sync.Mutex
	by    []*pipeline.Ranking // by request; nil if it is not remembered
	bytes int
}

// NewRankings returns an empty memory for the requests of a session.
func NewRankings(s *Session) *Rankings {
	return &Rankings{session: s, by: make([]*pipeline.Ranking, len(s.requests))}
}

// rank ranks the items that had come before request t. The result is that of
// pipe.Rank; m may be nil.
func (m *Rankings) rank(ctx context.Context, pipe *pipeline.Pipeline, s *Session, t int) (*pipeline.Ranking, error) {
	r := s.requests[t]
	if m == nil || m.session != s {
		return pipe.Rank(ctx, s.Items().Part(r.Before, s.gone(r)))
	}
	m.mu.Lock()
	known := m.by[t]
	m.mu.Unlock()
	if known == nil {
		ranking, err := pipe.Rank(ctx, s.Items().Part(r.Before, s.gone(r)))
		if err == nil {
			m.keep(t, ranking)
		}
		return ranking, err
	}
	ranking, err := pipe.RankLike(ctx, known.Unprepared(), known.Items())
	if err == nil && !pipe.RanksLike(known.Pipeline()) {
		m.keep(t, ranking)
	}
	return ranking, err
}

// keep remembers the ranking of request t in place of another, if there is room.
func (m *Rankings) keep(t int, ranking *pipeline.Ranking) {
	ranking = ranking.Unprepared() // what slicers and placers prepare may be large
	m.mu.Lock()
	defer m.mu.Unlock()
	bytes := m.bytes + ranking.Bytes()
	if old := m.by[t]; old != nil {
		bytes -= old.Bytes()
	}
	if bytes <= rankingsBytes {
		m.by[t], m.bytes = ranking, bytes
	}
}
