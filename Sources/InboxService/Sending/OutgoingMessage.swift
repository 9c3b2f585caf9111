package import Foundation
package import Groundwork
import InboxModel

/// A valid request to send a message: its recipients and content.
package struct OutgoingMessage: Sendable {
    enum Audience: Sendable {
        /// The people's ids, without duplicates, in the sender's order.
        case people([String])
        /// Everyone known at delivery and, if `newPeople`, everyone who becomes known while the message is live.
        case everyone(newPeople: Bool)
    }

    let audience: Audience
    let content: MessageContent
    /// The content as JSON text, which is encoded before the write transaction.
    let text: String
    /// The location in the request.
    let pointer: JSONPointer

    /// The maximum number of people in one request.
    package static let maxRecipients = 10_000

    /// Reads and validates one message of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part.
    init(checking reader: JSONReader, now: Date) throws(JSONValueError) {
        try reader.only(["to", "message"])
        audience = try Audience(checking: try reader.required("to"))
        content = try MessageContent(checking: try reader.required("message"), now: now)
        text = JSON.object(content.json).description
        pointer = reader.pointer
    }

    /// The maximum number of recipients for which deliveries are inserted one by one. For so few, a lookup of unknown
    /// people first doesn't pay off.
    static let individualLimit = 8

    /// The people who are named, each once; none for a broadcast.
    fileprivate var people: [String] {
        if case .people(let people) = audience { people } else { [] }
    }

    fileprivate var isBroadcast: Bool { if case .everyone = audience { true } else { false } }
}

/// The body of a request to send: a message, or an array of messages that are sent together or not at all.
package enum OutgoingMessages: Sendable {
    case one(OutgoingMessage)
    case array([OutgoingMessage])

    /// The maximum number of messages in one request.
    package static let limit = 1_000

    /// The rows that sending them changes.
    package var scope: WriteScope {
        if case .one(let message) = self, case .people(let people) = message.audience, people.count == 1 {
            return .person(people[0])
        }
        return .shared
    }

    /// The people who are named. Someone may be there several times.
    var people: [String] {
        switch self {
        case .one(let message): message.people
        case .array(let messages): messages.flatMap(\.people)
        }
    }

    /// Whether it is one message for so many people that one statement locks them and delivers it.
    var isForMany: Bool {
        if case .one(let message) = self { message.people.count > OutgoingMessage.individualLimit } else { false }
    }

    var hasBroadcast: Bool {
        switch self {
        case .one(let message): message.isBroadcast
        case .array(let messages): messages.contains(where: \.isBroadcast)
        }
    }

    /// Reads and validates the body of a request.
    ///
    /// - Throws: ``JSONValueError`` for the first invalid part. In an array, its pointer begins with the message's
    ///   index.
    package init(checking reader: JSONReader, now: Date) throws(JSONValueError) {
        guard reader.value.arrayValue != nil else {
            self = .one(try OutgoingMessage(checking: reader, now: now))
            return
        }
        let elements = try reader.elements()
        guard !elements.isEmpty else { throw reader.failure("has to contain at least one message") }
        guard elements.count <= Self.limit else { throw reader.failure("has more than \(Self.limit) messages") }
        var messages: [OutgoingMessage] = []
        var recipients = 0
        for element in elements {
            let message = try OutgoingMessage(checking: element, now: now)
            recipients += message.people.count
            guard recipients <= OutgoingMessage.maxRecipients else {
                throw JSONValueError(
                    pointer: element.pointer / "to",
                    problem: "brings the request to more than \(OutgoingMessage.maxRecipients) people"
                )
            }
            messages.append(message)
        }
        self = .array(messages)
    }
}

extension OutgoingMessage.Audience {
    init(checking reader: JSONReader) throws(JSONValueError) {
        try reader.only(["person", "people", "everyone", "newPeople"])
        let newPeople = reader.member("newPeople")
        guard try reader.object().count == (newPeople == nil ? 1 : 2) else {
            throw reader.failure("has to contain exactly one of person, people, everyone")
        }
        if reader.value["person"] != nil {
            self = .people([try reader.required("person").personName()])
        } else if reader.value["people"] != nil {
            self = .people(try Self.names(try reader.required("people")))
        } else {
            let everyone = try reader.required("everyone")
            guard try everyone.bool() else { throw everyone.failure("has to be true") }
            self = .everyone(newPeople: try newPeople?.bool() ?? true)
        }
        if case .people = self, let newPeople { throw newPeople.failure("is allowed only with everyone") }
    }

    private static func names(_ people: JSONReader) throws(JSONValueError) -> [String] {
        let elements = try people.elements()
        guard !elements.isEmpty else { throw people.failure("has to name at least one person") }
        guard elements.count <= OutgoingMessage.maxRecipients else {
            throw people.failure("has more than \(OutgoingMessage.maxRecipients) people")
        }
        // Compared by bytes. To String, two spellings of one character are equal, but they are the ids of two people.
        var seen: Set<[UInt8]> = []
        var names: [String] = []
        for element in elements {
            let name = try element.personName()
            if seen.insert(Array(name.utf8)).inserted { names.append(name) }
        }
        return names
    }
}

extension JSONReader {
    /// Returns a person's id, as the app defines it.
    func personName() throws(JSONValueError) -> String {
        let name = try string()
        guard PersonName.isValid(name) else { throw failure(PersonName.rule) }
        return name
    }
}
