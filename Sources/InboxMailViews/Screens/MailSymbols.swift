#if canImport(SwiftUI)
    import InboxMail

    extension MailboxSelection {
        /// The system symbol.
        var symbol: String {
            switch (self, role) {
            case (.starred, _), (_, .flagged): "star"
            case (_, .inbox): "tray"
            case (_, .archive): "archivebox"
            case (_, .drafts): "doc"
            case (_, .sent): "paperplane"
            case (_, .trash): "trash"
            case (_, .junk): "xmark.bin"
            case (_, .all): "tray.2"
            case (_, .important): "exclamationmark.circle"
            case (_, .other), (_, nil): "folder"
            }
        }
    }

    extension MailChange {
        /// The system symbol.
        func symbol(to role: Mailbox.Role? = nil) -> String {
            switch self {
            case .markRead: "envelope.open"
            case .markUnread: "envelope.badge"
            case .star: "star"
            case .unstar: "star.slash"
            case .archive: "archivebox"
            case .unarchive: "tray.and.arrow.down"
            case .trash: "trash"
            case .move: role == .inbox ? "tray.and.arrow.down" : role == .archive ? "archivebox" : "folder"
            }
        }
    }

    extension CombinedListModel.Change {
        /// The system symbol.
        var symbol: String {
            switch self {
            case .markRead: "envelope.open"
            case .markUnread: "envelope.badge"
            case .archive: "archivebox"
            case .delete: "trash"
            }
        }
    }

    extension MailFile {
        /// The system symbol of the kind of file.
        var symbol: String {
            switch type.prefix(while: { $0 != "/" }) {
            case "image": "photo"
            case "audio": "waveform"
            case "video": "film"
            default: "doc"
            }
        }
    }
#endif
