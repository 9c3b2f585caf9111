import InboxAdapters
import InboxClient
import InboxModel

/// Messages by their ids at Bloomreach, which an import keeps.
extension Inbox {
    /// Returns the id of the message that was imported with Bloomreach's id and is on this device. Any other id is
    /// returned unchanged.
    func ownID(of id: String) async throws -> String {
        try await ids([id], orInAdditionalData: BloomreachMessage.idKey).first ?? id
    }

    /// Returns one message by its id or by Bloomreach's: from this device, or after one fetch. Nil if the server
    /// doesn't have it either.
    func fetchMessage(ownOrBloomreachID id: String) async throws -> Message? {
        if let message = try await fetchMessage(id: ownID(of: id)) { return message }
        // The fetch may have brought it.
        return try await message(id: ownID(of: id))
    }
}
