package command

import (
	"context"
	"strings"
	"testing"

	"cupelscope/simulate/session"
)

// A file that a person wrote is small: a wrong path does not take long to read.

func TestPolicyFileIsBounded(t *testing.T) {
	path := write(t, "policy.json", strings.Repeat(" ", 1<<20+1))
	s, _, _ := streams(items)
	err := Report(context.Background(), session.Options{Sources: []string{"-"}, Policy: path}, ReportOptions{}, s)
	if err == nil || !strings.Contains(err.Error(), "has 1,048,577 bytes, a policy at most 1,048,576") {
		t.Errorf("%v", err)
	}
}

func TestChecksFileIsBounded(t *testing.T) {
	path := write(t, "checks.json", strings.Repeat(" ", 1<<20+1))
	if _, err := smallFile(path); err == nil || !strings.Contains(err.Error(), "has 1,048,577 bytes, at most 1,048,576 are read") {
		t.Errorf("%v", err)
	}
}
