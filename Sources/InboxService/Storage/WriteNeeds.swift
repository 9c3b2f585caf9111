/// The keys and people that a write reads before anything else.
///
/// PostgreSQL is asked for it together with what the other writes of the same transaction need, in one round trip, and
/// creates the people of all of them in another one. A write that doesn't state it asks for each part by itself.
package struct WriteNeeds: Sendable {
    /// The key of the request, whose stored response is looked up.
    let key: IdempotencyKey?
    /// The people who receive messages, and are created if they are unknown, unless there is such a response.
    let people: [String]
    /// Whether the people are only looked up: the statement that delivers the message locks them.
    let onlyFindsPeople: Bool

    /// The needs of a write that states none.
    package init() { (key, people, onlyFindsPeople) = (nil, [], false) }

    /// The needs of sending messages.
    package init(sending messages: OutgoingMessages, key: IdempotencyKey?) {
        self.key = key
        (people, onlyFindsPeople) = (messages.people, messages.isForMany)
    }

    /// The needs of looking up the response to a request.
    package init(key: IdempotencyKey) {
        self.key = key
        (people, onlyFindsPeople) = ([], false)
    }
}
