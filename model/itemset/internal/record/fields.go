package record

// The keys under which files keep the same things. This is the one table of them: a key
// that is added here is known to the readers of conversations and of documents alike. Of
// several keys in one object the first counts.

// Times are the keys of the time at which a message or a document came to be. Under the
// first ones of them, up to sureTimes, a value that is no time is a mistake; under the
// others it may be anything.
var Times = []string{"timestamp", "created_at", "create_time", "createdAt", "createTime", "created", "ts", "sent_at", "sentAt", "datetime", "date", "time"}

const sureTimes = 6

// Modified are the keys of the time at which a document was last changed.
var Modified = []string{"last_modified_date", "last_modified", "lastModified", "updated_at", "creation_date"}

// Time returns the value under the first of Times that is a time, as the functions Time
// and UnixTime read it. If there is none, it returns the first value under a key that
// holds nothing but times, or nil.
func (o Object) Time() []byte {
	for _, key := range Times {
		value := o.value(key)
		for _, wrapper := range [...]string{"$date", "$numberLong"} { // of MongoDB
			if inner := Open(value).value(wrapper); inner != nil {
				value = inner
			}
		}
		_, isText := Time(value)
		_, isUnix := UnixTime(value)
		if isText || isUnix {
			o.read(key)
			return value
		}
	}
	return o.Raw(Times[:sureTimes]...)
}

// Texts are the keys of the text of a document, the most certain ones first. The text of a
// message may stand under the same keys, and under the keys in Said.
var Texts = []string{"page_content", "pageContent", "text", "content", "document", "contents", "body", "chunk", "chunk_text", "passage", "snippet"}

// Said are keys that hold a text only beside the one who said it.
var Said = []string{"content", "text", "value", "message", "utterance", "body", "parts", "msg"}

// Roles are the keys of who speaks in a message. FromUser are the keys of whether it is the
// user, which are more certain.
var (
	Roles    = []string{"role", "speaker", "from", "sender", "user", "author"}
	FromUser = []string{"isCreatedByUser", "isUser", "is_user", "fromUser", "from_user", "fromMe"}
)

// IDs are the keys of the name by which others refer to a message or a document.
var IDs = []string{"id", "_id", "uuid", "messageId", "message_id", "docid", "doc_id", "node_id", "chunk_id"}

// Scores are the keys of how well a document answers a query, by rank: the keys of a reranker
// are the highest. The last rank is distances, of which the smaller is better.
var Scores = [][]string{
	{"relevance_score", "relevanceScore", "rerank_score", "rerankScore", "@search.rerankerScore"},
	{"score", "_score", "@search.score"},
	{"similarity", "similarity_score", "certainty"},
	{"distance", "_distance", "cosine_distance", "l2_distance", "vector_distance"},
}

// Questions are the keys of the question that a set of documents answers.
var Questions = []string{"query", "question", "input", "user_input", "queries", "query_texts", "questions"}
