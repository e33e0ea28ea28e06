package souk

import (
	"crypto/rand"
	"math/big"
	"sync"
	"time"
)

// timestamps gives each request of a mini app its own time in milliseconds. All clients of the process share the
// issued ones: the same parameters would have the same sign.
type timestamps struct {
	mutex sync.Mutex
	// last has the last timestamp by appid.
	last map[string]int64
	// offset is how far the timestamps are behind the clock. It is random, so that two processes hardly sign with the
	// same timestamp. Of the 5 minutes that Souk allows, it leaves 4 to clocks and the network (ADR 411).
	offset int64
}

var issued = newTimestamps()

func newTimestamps() *timestamps {
	return &timestamps{last: map[string]int64{}, offset: randomBelow(time.Minute.Milliseconds())}
}

// next returns a timestamp that no other request of this process for the mini app has.
func (t *timestamps) next(appID string, now int64) int64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	timestamp := now - t.offset
	last := t.last[appID]
	// If it is minutes ahead, the clock was set back. Souk refuses such timestamps.
	if last >= timestamp && last <= now+time.Minute.Milliseconds() {
		timestamp = last + 1
	}
	t.last[appID] = timestamp
	return timestamp
}

// skip leaves out up to a second of timestamps, after another process has used one.
func (t *timestamps) skip(appID string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.last[appID] += randomBelow(time.Second.Milliseconds())
}

func randomBelow(limit int64) int64 {
	n, err := rand.Int(rand.Reader, big.NewInt(limit))
	if err != nil {
		panic(err) // The system has no source of random numbers.
	}
	return n.Int64()
}
