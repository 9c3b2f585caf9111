import InboxModel

/// What a person did with a card, or what was done for them. The numbers are Adobe's.
public enum MessagingEdgeEventType: Int, Hashable, Sendable, CaseIterable {
    /// It was sent away.
    case dismiss = 6
    /// It was tapped, or one of its buttons.
    case interact = 7
    /// What it waited for has happened.
    case trigger = 8
    /// It came onto the screen.
    case display = 9
    /// The person isn't to see it any more.
    case disqualify = 10
    /// It could have been shown, and wasn't.
    case suppressDisplay = 11

    /// Adobe's name of the event.
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

    /// Ours.
    var type: EventType {
        switch self {
        case .dismiss: .dismissed
        case .interact: .clicked
        case .display: .displayed
        case .trigger, .disqualify, .suppressDisplay: .other(name)
        }
    }
}
