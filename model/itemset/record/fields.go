package record

// The keys under which files keep the same things. This is the one table of them: a key
// that is added here is known to the readers of conversations and of documents alike. Of
// several keys in one object the first counts.

// Times are the keys of the time at which a message or a document came to be. Under the
// first ones of them, up to sureTimes, a value that is no time is a mistake; under the
// others it may be anything.
var Times = []string{"timestamp", "created_at", "create_time", "createdAt", "created", "ts", "sent_at", "sentAt", "datetime", "date", "time"}

const sureTimes = 5

// Time returns the value under the first of Times that is a time, as the functions Time
// and UnixTime read it. If there is none, it returns the first value under a key that
// holds nothing but times, or nil.
func (o Object) Time() []byte {
	for _, key := range Times {
		value := o.value(key)
		if _, ok := Time(value); ok {
			return o.read(key)
		}
		if _, ok := UnixTime(value); ok {
			return o.read(key)
		}
	}
	return o.Raw(Times[:sureTimes]...)
}
