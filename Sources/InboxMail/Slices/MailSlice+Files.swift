import Groundwork
import Replica

/// A slice for a query of files: it requests mails with files. The files are known only once the mails are on the
/// device, so the server filter contains nothing but the date.
extension MailSlice {
    static func files(_ filter: QueryFilter, shown: Int?, key: String) -> Slice {
        let translated = filter.serverFilter { condition in
            if case .column(let column) = condition.field, column.name == "receivedAt" {
                ServerFilter.message(condition)
            } else {
                nil
            }
        }
        let hasOnlyDates = filter.isExact && filter.keeping { $0.isDate } == filter
        return Slice(
            query: "\(RecordType.attachment.name) \(key)",
            // All mails are requested, and the device determines which have files.
            filters: translated?.filters ?? [.null],
            isCollapsed: false,
            wanted: shown ?? (hasOnlyDates ? nil : defaultLimit)
        )
    }

    /// The number of mails to request for a query of files that has no limit.
    private static let defaultLimit = 200

    /// Matches the mails that have files.
    static let withFiles: SliceMatcher = { db, ids in try db.mailsWithFiles(among: ids) }
}

extension QueryFilter {
    /// The ids of the mails whose files can match; nil if the files of any mail can.
    var messageIDsOfFiles: [String]? {
        values(of: "messageId") ?? values(of: RecordTable.id)?.map(MailAttachment.messageID)
    }
}

extension QueryFilter.Field {
    fileprivate var isDate: Bool { if case .column(let column) = self { column.name == "receivedAt" } else { false } }
}
