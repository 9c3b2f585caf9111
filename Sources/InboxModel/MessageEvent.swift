public import Foundation

/// Something that a person did with a message, such as displaying, opening or clicking it, or its delivery.
///
/// Events inform the app and the sender. They change nothing on screen, except that ``EventType/clicked`` also marks
/// the message as read by default. The same flat object is sent over JMAP as an `InboxEvent` and to webhooks;
/// `Documentation/Events.md` lists its fields with their limits.
public struct MessageEvent: Identifiable, Hashable, Sendable {
    /// The device's id for the event, 1–64 characters of `A-Za-z0-9-_`, unique for the person. An event that is sent
    /// repeatedly counts once.
    public var uid: String
    /// The id of the message.
    public var message: String
    /// The type of the event.
    public var type: EventType
    /// The id of the action, or another identifier of a part of the message. Nil if the event concerns the whole
    /// message.
    public var action: String?
    /// The time of the event, by the device's clock. Nil for the time at which the server receives it.
    public var at: Date?
    /// Additional values that the app reports.
    public var data: [String: EventValue]
    /// Whether a click also marks the message as read. It has no effect on other types.
    ///
    /// It is false if the device marks the message as read with a separate write: an event may arrive late and must not
    /// revert a message that the person has since marked as unread.
    public var reads: Bool
    /// Whether the person consents to reporting the event. Nil if the message requires no consent, or if it is unknown.
    ///
    /// If the message has a `consentCategory` and this isn't true, the event is included only in the person's own
    /// export, unless it is forced (`tracking_forced` in its ``data``).
    public var consent: Bool?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - uid: The device's id for the event, which stays the same when it is sent again.
    ///   - message: The id of the message.
    ///   - type: The type of the event.
    ///   - action: The id of the action.
    ///   - at: The time of the event. Nil for the time at which the server receives it.
    ///   - data: Additional values, at most ``EventLimits/dataPairs`` pairs and ``EventLimits/data`` bytes of JSON.
    ///   - reads: Whether a click also marks the message as read.
    ///   - consent: Whether the person consents to reporting the event.
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

    /// The key in ``data`` that marks an event as reported without consent.
    package static let forcedKey = "tracking_forced"
    /// The marker in JSON, after other members.
    static let forcedMarker = #","\#(forcedKey)":true"#

    /// Whether the event is reported even without consent.
    package var isForced: Bool { data[Self.forcedKey] == .bool(true) }

    /// The same as ``uid``. The server uses it as the id too.
    public var id: String { uid }
}

/// A value in the ``MessageEvent/data`` of an event.
public enum EventValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// A number. One that isn't finite is dropped.
    case number(Double)
    /// A Boolean value.
    case bool(Bool)
}

/// The limits of an event, in bytes of UTF-8 unless noted otherwise.
public enum EventLimits {
    /// The maximum size of the device's id for the event.
    public static let uid = 64
    /// The maximum size of a type's name.
    public static let type = 64
    /// The maximum size of the action's id.
    public static let action = 256
    /// The maximum number of pairs in the data.
    public static let dataPairs = 50
    /// The maximum size of a key in the data.
    public static let dataKey = 256
    /// The maximum size of the data as compact JSON.
    public static let data = 4_096
}
