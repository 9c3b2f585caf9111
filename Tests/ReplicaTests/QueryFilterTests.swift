import GRDB
import Groundwork
import ReplicaTesting
import Testing

@testable import Replica

/// List conditions of a filter, in SQL.
@Suite(.timeLimit(.minutes(5))) struct QueryFilterTests {
    private static let id = RecordColumn("id", .text)

    /// A condition on a column and the statement that reads the ids of its notes.
    private func read(
        _ column: RecordColumn,
        _ list: [QueryFilter.Constant],
        isNegated: Bool = false,
        prefix: String = ""
    ) -> (sql: String, arguments: StatementArguments) {
        let filter = QueryFilter.condition(
            QueryFilter.Condition(field: .column(column), comparison: .isIn(list), isNegated: isNegated)
        )
        var arguments = StatementArguments()
        let condition = filter.sql(&arguments) ?? "true"
        return ("\(prefix)SELECT id FROM note WHERE phase = 0 AND \(condition) ORDER BY at, id", arguments)
    }

    private func ids(
        _ notes: TemporaryStore,
        _ column: RecordColumn,
        _ list: [QueryFilter.Constant],
        isNegated: Bool = false
    ) async throws -> [String] {
        let (sql, arguments) = read(column, list, isNegated: isNegated)
        return try await notes.store.read { db in try String.fetchAll(db, sql: sql, arguments: arguments) }
    }

    @Test func `list conditions of any length share a few statements`() {
        let folder = RecordType.note.column("folder")!
        let texts = (0...QueryFilter.listLimit).map { count in
            read(folder, (0..<count).map { .text("\($0)") }).sql
        }
        #expect(Set(texts).count == 13, "none, 1, 2, 3, 4, and each power of two from 8 to 1,024")
    }

    @Test(arguments: [
        "", "é", "\u{1F44D}\u{1F3FD}", "a\"b\\c/d", "\u{1}\t\n\u{7F}\u{2028}", "\u{FFFF}\u{10FFFF}", "1", "null",
        "%_*?",
    ])
    func `a text in a list matches by its bytes`(_ text: String) async throws {
        let notes = try TemporaryStore()
        let folder = RecordType.note.column("folder")!
        try await notes.pull(note("a", ["folder": .string(text)]), note("b", ["folder": "other"]), note("c"))
        #expect(try await ids(notes, folder, [.text(text), .text("another")]) == ["a"])
        #expect(try await ids(notes, folder, [.text(text)], isNegated: true) == ["b", "c"])
        // Different case, and an additional combining mark.
        #expect(try await ids(notes, folder, [.text("OTHER"), .text("other\u{301}")]) == [])
    }

    @Test func `numbers and nulls in a list match exactly`() async throws {
        let notes = try TemporaryStore()
        let (stars, folder) = (RecordType.note.column("stars")!, RecordType.note.column("folder")!)
        let large = 9_007_199_254_740_991
        try await notes.pull(note("a", ["stars": 1, "folder": "x"]), note("b", ["stars": JSON(large)]), note("c"))
        #expect(try await ids(notes, stars, [.integer(1), .integer(large)]) == ["a", "b"])
        #expect(try await ids(notes, stars, [.integer(large - 1), .integer(-1)]) == [])
        #expect(try await ids(notes, stars, [.integer(1)], isNegated: true) == ["b", "c"])
        #expect(try await ids(notes, stars, []) == [])
        #expect(try await ids(notes, stars, [], isNegated: true) == ["a", "b", "c"])
        #expect(try await ids(notes, folder, [.null]) == ["b", "c"])
        #expect(try await ids(notes, folder, [.null, .text("x")]) == ["a", "b", "c"])
        #expect(try await ids(notes, folder, [.null], isNegated: true) == ["a"])
    }

    /// The ids of the notes that match a filter and are in a folder.
    private func ids(_ notes: TemporaryStore, in folder: String?, _ filter: QueryFilter) async throws -> [String] {
        var arguments = StatementArguments()
        let condition = filter.sql(&arguments) ?? "true"
        let sql = "SELECT id FROM note WHERE (\(condition)) AND folder IS ? ORDER BY id"
        arguments += [folder]
        return try await notes.store.read { [arguments] db in try String.fetchAll(db, sql: sql, arguments: arguments) }
    }

    @Test(arguments: [
        QueryFilter.Condition.Comparison.less(.text("y")), .lessOrEqual(.text("x")), .greater(.text("w")),
        .greaterOrEqual(.text("x")), .contains("x"), .startsWith("x"), .equal(.text("x")), .isIn([.text("x")]),
    ])
    func `a negated condition matches null`(_ comparison: QueryFilter.Condition.Comparison) async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"), note("b", ["folder": "x"]))
        let field = QueryFilter.Field.column(RecordType.note.column("folder")!)
        func filter(isNegated: Bool) -> QueryFilter {
            .condition(QueryFilter.Condition(field: field, comparison: comparison, isNegated: isNegated))
        }
        #expect(try await ids(notes, in: nil, filter(isNegated: true)) == ["a"])
        #expect(try await ids(notes, in: nil, filter(isNegated: false)) == [])
        #expect(try await ids(notes, in: "x", filter(isNegated: true)) == [])
        #expect(try await ids(notes, in: "x", filter(isNegated: false)) == ["b"])
    }

    @Test func `a filter within limits leaves open what is beyond them`() {
        let field = QueryFilter.Field.column(RecordType.note.column("folder")!)
        func isIn(_ count: Int) -> QueryFilter {
            let list = (0..<count).map { QueryFilter.Constant.text("\($0)") }
            return .condition(QueryFilter.Condition(field: field, comparison: .isIn(list), isNegated: false))
        }
        let filter = QueryFilter.all([isIn(2), .any([isIn(1), isIn(3)]), isIn(1)])
        #expect(filter.within(nil) == filter)
        #expect(filter.within(FilterLimits(depth: 2, terms: 6, values: 7)) == filter)
        #expect(filter.within(FilterLimits(depth: 1, terms: 6, values: 7)) == .all([isIn(2), .open, isIn(1)]))
        #expect(
            filter.within(FilterLimits(depth: 2, terms: 5, values: 7))
                == .all([isIn(2), .any([isIn(1), isIn(3)]), .open])
        )
        #expect(filter.within(FilterLimits(depth: 2, terms: 6, values: 5)) == .all([isIn(2), .open, isIn(1)]))
        #expect(RecordType.note.filterLimits == nil, "a type has those that it declares")
    }

    @Test func `an alternative with an open condition has no arguments`() async throws {
        let notes = try TemporaryStore()
        try await notes.pull(note("a"), note("b", ["folder": "x"]))
        let field = QueryFilter.Field.column(RecordType.note.column("folder")!)
        let isX = QueryFilter.condition(
            QueryFilter.Condition(field: field, comparison: .equal(.text("x")), isNegated: false)
        )
        #expect(try await ids(notes, in: nil, .any([isX, .open])) == ["a"])
        #expect(try await ids(notes, in: "x", .any([isX, .open])) == ["b"])
        #expect(try await ids(notes, in: "x", .all([isX, .open])) == ["b"])
    }

    @Test func `a short list is looked up in an index`() async throws {
        let notes = try TemporaryStore()
        for (column, list, index) in [
            (Self.id, (1...2).map { QueryFilter.Constant.text("\($0)") }, "(id=?)"),
            (RecordType.note.column("at")!, (1...5).map { .integer($0) }, "(phase=? AND at=?)"),
        ] {
            let (sql, arguments) = read(column, list, prefix: "EXPLAIN QUERY PLAN ")
            let plan = try await notes.store.read { db in
                try Row.fetchAll(db, sql: sql, arguments: arguments).map { $0["detail"] as String }
            }
            #expect(plan.contains { $0.hasPrefix("SEARCH note USING") && $0.hasSuffix(index) }, "\(plan)")
        }
    }
}
