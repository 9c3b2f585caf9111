package import InboxModel

/// The comparison of a list with the one that was shown before.
package enum ChangedMessages {
    /// Returns the ids of the messages that are new or differ. A list may have thousands of messages, so they are
    /// compared off the caller's actor.
    @concurrent
    package static func ids(in new: [Message], comparedWith old: [Message]) async -> Set<String> {
        let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        return Set(new.filter { known[$0.id] != $0 }.map(\.id))
    }
}
