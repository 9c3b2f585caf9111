public import Foundation

/// Something that a person did with a message, or that was done for them: it came onto the screen, was opened, an
/// action was clicked.
///
/// Events are what apps and senders learn from; they change nothing that is shown, but for ``EventType/clicked``, which
/// also reads the message unless it says otherwise. The same flat object travels over JMAP as an `InboxEvent` and to
/// webhooks; `Documentation/Events.md` lists its fields with their limits.
public struct MessageEvent: Identifiable, Hashable, Sendable {
    /// The device's own name for the event, 1–64 of `A-Za-z0-9-_`, unique for the person: however often an event is
    /// sent, it counts once.
    public var uid: String
    /// The id of the message that it is about.
    public var message: String
    /// What happened.
    public var type: EventType
    /// The id of the action that it is about, or whatever else names a part of the message; nil where it is about all
    /// of it.
    public var action: String?
    /// When it happened, by the device's clock; nil for when the server hears of it.
    public var at: Date?
    /// Whatever else the app wants to report.
    public var data: [String: EventValue]
    /// Whether a click also reads the message; of other types it says nothing.
    ///
    /// False where the device sends the reading as a write of its own: an event may arrive late, and must not undo that
    /// the person has marked the message as unread since.
    public var reads: Bool
    /// Whether the person agreed to its being told; nil where the message needs no consent, or where that isn't known.
    ///
    /// About a message with a `consentCategory`, an event that doesn't say true reaches the person's own export alone,
    /// unless it is forced (`tracking_forced` in its ``data``).
    public var consent: Bool?

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - uid: Made once, and sent with each repeat.
    ///   - message: The message's id.
    ///   - type: What happened.
    ///   - action: The id of the action that it is about.
    ///   - at: When it happened; nil for when the server hears of it.
    ///   - data: At most ``EventLimits/dataPairs`` pairs, and ``EventLimits/data`` bytes of JSON.
    ///   - reads: Whether a click also reads the message.
    ///   - consent: Whether the person agreed to its being told.
    public init(
        uid: String,
        message: String,
        type: EventType,
        action: String? = nil,
        at: Date? = nil,
        data: [String: EventValue] = [:],
        reads: Bool = true,
        consent: Bool? = nil
    ) {
        self.uid = uid
        self.message = message
        self.type = type
        self.action = action
        self.at = at
        self.data = data
        self.reads = reads
        self.consent = consent
    }

    /// The name in ``data`` of the note that the event is told without consent.
    package static let forcedKey = "tracking_forced"
    /// The note, as it stands between others.
    static let forcedNote = #","\#(forcedKey)":true"#

    /// Whether it is told without consent too.
    package var isForced: Bool { data[Self.forcedKey] == .bool(true) }

    /// The same as ``uid``, which is the server's id too.
    public var id: String { uid }
}

/// A value in the ``MessageEvent/data`` of an event.
public enum EventValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A number; one that isn't finite is left out.
    case number(Double)
    /// A yes or no.
    case bool(Bool)
}

/// The limits of an event, in bytes of UTF-8 where nothing else is said.
public enum EventLimits {
    /// Of the device's name for the event.
    public static let uid = 64
    /// Of the name of a type of the app's own.
    public static let type = 64
    /// Of the action.
    public static let action = 256
    /// How many pairs the data may have.
    public static let dataPairs = 50
    /// Of the name of a pair.
    public static let dataKey = 256
    /// Of the data, as compact JSON.
    public static let data = 4_096
}
