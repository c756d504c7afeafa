package work

import (
	"reflect"
	"time"
)

// This file takes the answers of jobs. An answer that a newer request has made stale is dropped.

// Answer is the message with which a job in a lane ends; pass it to Pool.Take.
type Answer struct {
	worker     Worker
	lane       *lane
	generation int
	cancelled  bool
	took       time.Duration
	result     any
	err        error
	crash      string // what a panic said, and where it was; "" if there was none
}

// Take passes the answer of a job to Done of its worker, unless the job was cancelled,
// and frees the lane. It returns false, and drops the answer, if that is stale.
func (p *Pool) Take(a Answer) bool {
	if p.lanes[a.worker] != a.lane || a.lane.Stale(a.generation) {
		return false
	}
	if !a.lane.job.CanWait {
		p.DelaySlow()
	}
	p.take(a)
	return true
}

// take is Take for an answer that is not stale. It panics if the job did.
func (p *Pool) take(a Answer) {
	if a.crash != "" {
		panic(a.crash)
	}
	key := a.lane.job.Key
	a.lane.End(a.generation)
	a.lane.job = Job{} // what it refers to may be large
	if slow := a.took > p.Frame; slow || !a.cancelled {
		a.lane.slow[reflect.TypeOf(key)] = slow
	}
	if !a.cancelled {
		a.worker.Done(key, a.result, a.err)
	}
}
