package chain

import (
	"testing"
	"unsafe"
)

// TestRecordsFitALineOfTheCache keeps the records that every event touches at
// 64 bytes.
func TestRecordsFitALineOfTheCache(t *testing.T) {
	if n := unsafe.Sizeof(work{}); n > 64 {
		t.Errorf("a work takes %d bytes", n)
	}
	if n := unsafe.Sizeof(call{}); n > 64 {
		t.Errorf("a call takes %d bytes", n)
	}
}
