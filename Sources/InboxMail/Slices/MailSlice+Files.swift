import GRDB
import Groundwork
import Replica

/// A query of files, where the device holds slices: it asks for the mails that have some. Which files these are is
/// known once the mails are there, so all that is told to the server, and asked of a mail, is its date.
extension MailSlice {
    static func files(_ filter: QueryFilter, shown: Int?, key: String) -> Slice {
        let told = filter.serverFilter { condition in
            if case .column(let column) = condition.field, column.name == "receivedAt" {
                ServerFilter.message(condition)
            } else {
                nil
            }
        }
        let isOfDatesAlone = filter.isExact && filter.keeping { $0.isDate } == filter
        return Slice(
            query: "\(RecordType.attachment.name) \(key)",
            // Of all mails it is looked which have files.
            filters: told?.filters ?? [.null],
            isCollapsed: false,
            wanted: shown ?? (isOfDatesAlone ? nil : most)
        )
    }

    /// How many mails are asked for because they may have the files of a query without a limit.
    private static let most = 200

    /// The mails that have files.
    static let withFiles: SliceMatcher = { db, ids in
        let select = try db.cachedStatement(sql: "SELECT 1 FROM email WHERE id = ? AND hasAttachment")
        return Set(try ids.filter { try Int.fetchOne(select, arguments: [$0]) != nil })
    }
}

extension QueryFilter {
    /// The mails whose files may be meant; nil where it may be any.
    var mailsOfFiles: [String]? {
        values(of: "messageId") ?? values(of: "id")?.map(MailAttachment.messageID)
    }
}

extension QueryFilter.Field {
    fileprivate var isDate: Bool { if case .column(let column) = self { column.name == "receivedAt" } else { false } }
}
