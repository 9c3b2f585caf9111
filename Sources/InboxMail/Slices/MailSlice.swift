import Groundwork
import Replica

/// The mails that a query needs on a device that keeps slices.
enum MailSlice {
    /// The query matches nothing.
    case nothing
    /// Certain threads, or the threads of certain mails, by their ids.
    case byID(threads: [String], mails: [String])
    /// The mails that match a filter.
    case slice(Slice)

    /// - Parameter query: A query of threads, mails or files.
    init<Item>(_ query: StoreQuery<Item>) {
        let isThread = query.table.type.name == RecordType.thread.name
        let isFile = query.table.type.name == RecordType.attachment.name
        let filter = query.condition.filter
        let (threads, mails) =
            isThread
            ? (filter.values(of: RecordTable.id), nil)
            : (filter.values(of: "threadId"), isFile ? filter.messageIDsOfFiles : filter.values(of: RecordTable.id))
        if filter.matchesNothing || query.limit == 0 {
            self = .nothing
        } else if threads != nil || mails != nil {
            self = .byID(threads: threads ?? [], mails: mails ?? [])
        } else if isFile {
            self = .slice(Self.files(filter, shown: query.limit.map { $0 + query.offset }, key: "\(query.condition)"))
        } else {
            let filters = filter.serverFilter(isThread ? ServerFilter.thread : ServerFilter.message)?.filters ?? []
            // In any other order, the first records are known only when all are on the device.
            let isNewestFirst = query.order.keys.first.map { key in
                !key.isAscending && ["lastMessageDate", "receivedAt"].contains(key.field.column.name)
            }
            let shown = query.limit.map { $0 + query.offset }
            self = .slice(
                Slice(
                    query: "\(query.table.type.name) \(query.condition)",
                    filters: filters,
                    isCollapsed: isThread,
                    wanted: isNewestFirst ?? false || filters.isEmpty ? shown : nil
                )
            )
        }
    }
}

extension StoreQuery {
    /// Returns the function that selects, from given ids, those of the records that match the query regardless of its
    /// limit.
    static func matcher(_ query: Query<Record>, _ table: QueryTable<Record>) -> SliceMatcher {
        let predicate = query.predicate
        return { db, ids in
            var found: Set<String> = []
            let id = QueryField<Record>(RecordColumn(RecordTable.id, .text)) { .text(table.id($0)) }
            for start in stride(from: 0, to: ids.count, by: 500) {
                let some = ids[start..<min(start + 500, ids.count)].map { QueryValue.text($0) }
                let scope = QueryExpression.contains(list: .constant(.list(some)), .field(id))
                let query = try StoreQuery(Query(where: predicate), table, scope: scope)
                found.formUnion(try query.fetch(db).map(table.id))
            }
            return found
        }
    }
}

extension QueryFilter {
    /// The only values that the filter allows for a column; nil if it doesn't list them.
    func values(of column: String) -> [String]? {
        switch self {
        case .all(let parts): return parts.lazy.compactMap { $0.values(of: column) }.first
        case .condition(let condition):
            guard case .column(let own) = condition.field, own.name == column, !condition.isNegated else { return nil }
            switch condition.comparison {
            case .equal(.text(let value)): return [value]
            case .isIn(let values): return values.compactMap { if case .text(let value) = $0 { value } else { nil } }
            default: return nil
            }
        case .any, .open: return nil
        }
    }
}

extension Slice {
    /// The slice of the mails that the server finds by a text.
    static func search(_ text: String, limit: Int) -> Slice {
        Slice(query: "search \(text)", filters: [["text": .string(text)]], isCollapsed: false, wanted: limit)
    }
}
