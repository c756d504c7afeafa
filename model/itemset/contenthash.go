package itemset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"cupelscope/model"
)

// contentHash returns a SHA-256 hash of the contents of all items of a set in index
// order, as "sha256:" and hexadecimal digits. It tells whether edits still refer to
// the items that they were made for.
func contentHash(set *model.Set) string {
	h := sha256.New()
	var size [8]byte
	for i := range set.Len() {
		content := set.Loaded(i).Content
		binary.LittleEndian.PutUint64(size[:], uint64(len(content)))
		h.Write(size[:])
		h.Write([]byte(content))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
