import Groundwork
import InboxClient
import InboxModel

extension InboxSnapshot {
    /// The object for `--json`: `messages` in their wire format, `counts`, `pendingWrites`, `isComplete`, `hasSynced`.
    var json: JSONObject {
        JSONObject([
            ("messages", .array(items.map(\.json))),
            ("counts", counts.json),
            ("pendingWrites", JSON(pendingWrites)),
            ("isComplete", .bool(isComplete)),
            ("hasSynced", .bool(hasSynced)),
        ])
    }
}

extension MessageCounts {
    var json: JSON {
        [
            "total": JSON(total), "unread": JSON(unread), "unseen": JSON(unseen), "snoozed": JSON(snoozed),
            "archived": JSON(archived), "isExact": .bool(isExact),
        ]
    }
}

extension ConnectionState {
    /// The name of the state, for scripts.
    var name: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .live: "live"
        case .polling: "polling"
        case .offline: "offline"
        case .unauthorized: "unauthorized"
        case .otherPerson: "otherPerson"
        case .otherProcess: "otherProcess"
        case .closed: "closed"
        }
    }
}
