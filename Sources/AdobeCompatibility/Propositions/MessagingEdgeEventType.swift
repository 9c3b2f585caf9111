import InboxModel

/// The type of an event of a card. The raw values are Adobe's.
public enum MessagingEdgeEventType: Int, Hashable, Sendable, CaseIterable {
    /// The person dismissed the card.
    case dismiss = 6
    /// The person tapped the card or one of its buttons.
    case interact = 7
    /// The card's trigger has occurred.
    case trigger = 8
    /// The card appeared on the screen.
    case display = 9
    /// The person must not see the card any more.
    case disqualify = 10
    /// The card could have been shown, and wasn't.
    case suppressDisplay = 11

    /// Returns Adobe's name of the event.
    public func toString() -> String {
        let capital = name.prefix(1).uppercased() + name.dropFirst()
        return "decisioning.proposition\(capital)"
    }

    var name: String {
        switch self {
        case .dismiss: "dismiss"
        case .interact: "interact"
        case .trigger: "trigger"
        case .display: "display"
        case .disqualify: "disqualify"
        case .suppressDisplay: "suppressDisplay"
        }
    }

    /// The event's type in this package.
    var type: EventType {
        switch self {
        case .dismiss: .dismissed
        case .interact: .clicked
        case .display: .displayed
        case .trigger, .disqualify, .suppressDisplay: .other(name)
        }
    }
}
