import GRDB

extension Database {
    /// Selects the outline rows of active records that are kept outside the window too. They are few, and have an index
    /// of their own.
    static func keptOutline(_ type: RecordType, _ retention: RecordType.RetentionRule) -> String {
        """
        SELECT id FROM "\(type.outlineTable)" INDEXED BY "\(type.outlineTable)_kept"
            WHERE NOT (\(retention.evictable.rule())) AND (\(retention.active.rule()))
        """
    }

    /// Returns the ids of outline rows whose records belong on the device: those that are kept outside the window too,
    /// those that are newer than the records on the device, and the newest ones while the device has fewer records than
    /// a new device fetches.
    ///
    /// - Parameters:
    ///   - maxCount: The number of active records that a device keeps; nil for all.
    ///   - minCount: The number that a new device fetches; nil for all.
    func missing(_ type: RecordType, device maxCount: Int?, atLeast minCount: Int?) throws -> [String] {
        guard let outline = type.outline, case .newest(_, _, let retention) = type.window else { return [] }
        let (table, outlineTable) = ("\"\(type.table)\"", "\"\(type.outlineTable)\"")
        let (active, evictable, order) = (retention.active.rule(), retention.evictable.rule(), "\"\(outline.order)\"")
        var ids = try String.fetchAll(cachedStatement(sql: Self.keptOutline(type, retention)))
        let held = try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM \(table) WHERE \(active)")) ?? 0
        // Limited to the window, because records beyond it would be removed again at once.
        ids += try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT id FROM \(outlineTable) WHERE (\(active)) AND (\(order), id) > (
                        SELECT \(order), id FROM \(table)
                            WHERE (\(active)) AND (\(evictable)) AND askedAt IS NULL AND provisionalUntil IS NULL
                            ORDER BY \(order), id LIMIT 1)
                    ORDER BY \(order) DESC, id DESC LIMIT ?
                    """
            ),
            arguments: [maxCount ?? -1]
        )
        // A device with a small window may be configured to begin with a larger one.
        let minCount = maxCount.map { maxCount in minCount.map { min($0, maxCount) } ?? maxCount } ?? minCount
        if held < minCount ?? .max {
            ids += try String.fetchAll(
                cachedStatement(
                    sql: "SELECT id FROM \(outlineTable) WHERE \(active) ORDER BY \(order) DESC, id DESC LIMIT ?"
                ),
                arguments: [minCount.map { $0 - held } ?? -1]
            )
        }
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}
