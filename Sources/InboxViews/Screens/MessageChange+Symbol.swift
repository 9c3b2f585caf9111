#if canImport(SwiftUI)
    import InboxModel

    extension MessageChange {
        /// The system symbol.
        var symbol: String {
            switch self {
            case .markRead: "envelope.open"
            case .markUnread: "envelope.badge"
            case .archive: "archivebox"
            case .unarchive, .unsnooze, .undelete: "tray.and.arrow.down"
            case .snooze: "clock"
            case .delete: "trash"
            }
        }
    }
#endif
