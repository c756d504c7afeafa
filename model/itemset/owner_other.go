//go:build !unix

package itemset

import (
	"io/fs"
	"os"
)

// names returns how many names a file has, as far as that is known here.
func names(fs.FileInfo) uint64 { return 1 }

// keepOwner does nothing: files have no owner here that could be given.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
