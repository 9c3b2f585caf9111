package import Foundation
package import Groundwork
package import InboxAdapters
import InboxModel

/// A request to import what a person has in another system, checked: each message by itself.
package struct ImportRequest: Sendable {
    /// The person's id.
    package let person: String
    /// The messages in their order, or why one can't be imported.
    package let items: [ImportItem]

    /// How many messages one request may have.
    package static let limit = 10_000

    /// Checks the body of a request: a person, and what the system brings: messages, propositions, or the whole answer
    /// to a fetch, which Bloomreach's has.
    ///
    /// - Throws: ``JSONValueError`` for what is wrong with all of it; what is wrong with one message stands in its
    ///   place.
    package init(checking reader: JSONReader, from source: ImportSource, now: Date) throws(JSONValueError) {
        try reader.only(Set(["person"] + source.places))
        person = try reader.required("person").personName()
        guard try reader.object().count == 2 else {
            throw reader.failure("has to have person and exactly one of \(source.places.joined(separator: ", "))")
        }
        let list = reader.value["answer"] == nil ? try reader.required(source.places[0]) : try Self.messages(in: reader)
        let elements = try list?.elements() ?? []
        items = elements.count > Self.limit ? [] : source.items(of: elements, now: now)
        if let list, max(elements.count, items.count) > Self.limit {
            throw list.failure("has more than \(Self.limit) messages")
        }
    }

    /// The messages of a fetch's answer; nil where it brought none.
    private static func messages(in reader: JSONReader) throws(JSONValueError) -> JSONReader? {
        let answer = try reader.required("answer")
        _ = try answer.object()
        if let success = answer.member("success"), try !success.bool() {
            throw success.failure("is false: the fetch failed, and has to be repeated")
        }
        return answer.member("messages")
    }
}

/// A part of a request to import.
package struct ImportItem: Sendable {
    /// What a part becomes.
    package enum Content: Sendable {
        case message(ImportedMessage)
        case settings(ImportedSettings)
    }

    /// Its number in the request's list.
    package let index: Int
    /// Its number among the items of a proposition; nil where that has none, or the system has no propositions.
    package let item: Int?
    package let content: Result<Content, AdapterError>
}

/// Settings of a surface from another system.
package struct ImportedSettings: Sendable {
    package let surface: String
    let settings: InboxSettings
    /// Where what they came with is in the request.
    package let place: JSONPointer
}

/// A message of another system on its way into a person's inbox.
package struct ImportedMessage: Sendable {
    let source: ImportSource
    package let externalID: String
    let content: MessageContent
    /// The content as JSON text, made before the write transaction.
    let text: String
    let deliverAt: Date
    let expiresAt: Date?
    /// What the person did with it there, in the order of ``MessageField/personal``, in milliseconds. When they did
    /// isn't known, so that it counts as done now.
    let dates: [Int?]

    /// - Parameters:
    ///   - place: Its place in the request, which begins with the newest: one that doesn't say when it was delivered
    ///     counts as delivered now, each a millisecond before the one above it.
    ///   - now: The time of the request, after which nothing was delivered.
    init(_ message: AdaptedMessage, place: Int, source: ImportSource, now: Date) {
        self.source = source
        (externalID, content, expiresAt) = (message.externalID, message.content, message.expiresAt)
        text = JSON.object(content.json).description
        deliverAt = min(message.deliveredAt ?? Date(milliseconds: now.milliseconds - place), now)
        let done: [MessageField] =
            switch message.status {
            case .unread: []
            case .read: [.seenAt, .readAt]
            case .deleted: [.deletedAt]
            }
        dates = MessageField.personal.map { done.contains($0) ? now.milliseconds : nil }
    }
}
