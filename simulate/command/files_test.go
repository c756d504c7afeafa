package command

import (
	"context"
	"os"
	"strings"
	"testing"

	"cupelscope/model/itemset"
	"cupelscope/simulate/session"
)

// A file that a person wrote is small: a wrong path does not take long to read.

func TestPolicyFileIsBounded(t *testing.T) {
	path := write(t, "policy.json", strings.Repeat(" ", 1<<20+1))
	s, _, _ := streams(items)
	err := Report(context.Background(), session.Options{Sources: []string{"-"}, Policy: path}, ReportOptions{}, s)
	if err == nil || !strings.Contains(err.Error(), "has more than 1,048,576 bytes") {
		t.Errorf("%v", err)
	}
}

func TestChecksFileIsBounded(t *testing.T) {
	path := write(t, "checks.json", strings.Repeat(" ", 1<<20+1))
	if _, err := itemset.ReadSmall(path); err == nil || !strings.Contains(err.Error(), "has more than 1,048,576 bytes") {
		t.Errorf("%v", err)
	}
}

// The size that a device tells is 0, and it has no end.
func TestADeviceIsReadUpToTheBound(t *testing.T) {
	const endless = "/dev/zero"
	if _, err := os.Stat(endless); err != nil {
		t.Skip(err)
	}
	if _, err := itemset.ReadPolicy(endless); err == nil || !strings.Contains(err.Error(), "has more than 1,048,576 bytes") {
		t.Errorf("%v", err)
	}
}
