package overlay

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Home returns a typed path with the user's home folder in place of a ~ at its beginning, as a
// shell does. The error says that the home folder is not known.
func Home(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("~: your home folder is not known: %w", err)
	}
	return filepath.Join(home, rest), nil
}
