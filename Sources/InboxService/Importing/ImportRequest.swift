package import Foundation
package import Groundwork
package import InboxAdapters
import InboxModel

/// A request to import a person's data from another system. Each message is validated on its own.
package struct ImportRequest: Sendable {
    /// The app's id of the person.
    package let person: String
    /// The messages in order, each with its content or the error that prevents its import.
    package let items: [ImportItem]

    /// The maximum number of messages per request.
    package static let limit = 10_000

    /// Validates the body of a request: a person, and the system's data, which is messages, propositions, or the whole
    /// response to a fetch of Bloomreach's or Adobe's.
    ///
    /// - Throws: ``JSONValueError`` for an error of the whole request. The error of a single message is in its item.
    package init(checking reader: JSONReader, from source: ImportSource, now: Date) throws(JSONValueError) {
        try reader.only(Set(["person"] + source.memberNames + source.optionNames))
        person = try reader.required("person").personName()
        let options = source.optionNames.filter { reader.value[$0] != nil }.count
        guard try reader.object().count == 2 + options else {
            throw reader.failure(
                "has to contain person and exactly one of \(source.memberNames.joined(separator: ", "))"
            )
        }
        let lists =
            reader.value["answer"] == nil
            ? [try reader.required(source.memberNames[0])] : try source.lists(inAnswer: try reader.required("answer"))
        let importsUndecided = try reader.member("importsUndecided")?.bool() ?? false
        var elements: [JSONReader] = []
        for list in lists { elements += try list.elements() }
        items =
            elements.count > Self.limit
            ? [] : source.items(of: elements, now: now, importsUndecided: importsUndecided)
        if let list = lists.first, max(elements.count, items.count) > Self.limit {
            throw list.failure("has more than \(Self.limit) messages")
        }
    }
}

/// A part of an import request.
package struct ImportItem: Sendable {
    /// The result of reading a part.
    package enum Content: Sendable {
        case message(ImportedMessage)
        case settings(ImportedSettings)
    }

    /// The part's index in the request's list.
    package let index: Int
    /// The index among the items of a proposition. Nil if the proposition has no items, or the system has no
    /// propositions.
    package let item: Int?
    /// The place in the item, if that is a ruleset of Adobe's.
    package let consequence: AdobeReading.Consequence?
    /// The location of what couldn't be decided of a card's condition, and counted as true.
    package let undecided: JSONPointer?
    /// The message's id in the other system, whatever else it contains. Nil if it has none that can identify it.
    package let externalID: String?
    package let content: Result<Content, AdapterError>

    /// - Parameter id: The message's id in the other system. It may be one that can't identify it.
    init(
        index: Int,
        item: Int? = nil,
        consequence: AdobeReading.Consequence? = nil,
        undecided: JSONPointer? = nil,
        id: String,
        content: Result<Content, AdapterError>
    ) {
        (self.index, self.item, self.consequence, self.undecided) = (index, item, consequence, undecided)
        externalID = AdaptedMessage.isValid(id) ? id : nil
        self.content = content
    }
}

/// A surface's settings from another system.
package struct ImportedSettings: Sendable {
    package let surface: String
    let settings: InboxSettings
    /// The location in the request of the data that contained the settings.
    package let pointer: JSONPointer
}

/// A message of another system that is about to be imported into a person's inbox.
package struct ImportedMessage: Sendable {
    let source: ImportSource
    package let externalID: String
    let content: MessageContent
    /// The content as JSON text, encoded before the write transaction.
    let text: String
    let deliverAt: Date
    let expiresAt: Date?
    /// The person's dates from the other system. The real times are unknown, so they are the time of the import.
    let dates: PersonalDates

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - index: The message's index in the request, newest first. A message without a delivery time counts as
    ///     delivered now, each a millisecond before the preceding one.
    ///   - now: The time of the request. Later delivery times are clamped to it, except the one before which a message
    ///     mustn't be delivered.
    init(_ message: AdaptedMessage, index: Int, source: ImportSource, now: Date) {
        self.source = source
        (externalID, content, expiresAt) = (message.externalID, message.content, message.expiresAt)
        text = JSON.object(content.json).description
        let deliveredAt = min(message.deliveredAt ?? Date(milliseconds: now.milliseconds - index), now)
        deliverAt = max(deliveredAt, message.notBefore ?? deliveredAt)
        let done: [MessageField] =
            switch message.status {
            case .unread: []
            case .read: [.seenAt, .readAt]
            case .deleted: [.deletedAt]
            }
        dates = PersonalDates { done.contains($0) ? now.milliseconds : nil }
    }
}
