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
