import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct SQLTextTests {
    @Test func `parameters are numbered as SQLite numbers them`() {
        #expect(SQLText.derive("a = ? AND b = ?3 AND c = ? AND d = ?1") == "a = $1 AND b = $3 AND c = $4 AND d = $1")
        #expect(SQLText.derive("(?, ?), ?12") == "($1, $2), $12")
    }

    @Test func `texts and names in quotes stay as they are`() {
        let sql = "SELECT '? CROSS JOIN ''?', \"a ?\" FROM t WHERE b = ?"
        #expect(SQLText.derive(sql) == "SELECT '? CROSS JOIN ''?', \"a ?\" FROM t WHERE b = $1")
        #expect(SQLText.derive("SELECT 'open ?") == "SELECT 'open ?")
    }

    @Test func `hints for SQLite's planner are removed`() {
        let sql = "SELECT 1 FROM delivery d INDEXED BY delivery_order CROSS JOIN message m ON m.id = d.message"
        #expect(SQLText.derive(sql) == "SELECT 1 FROM delivery d  JOIN message m ON m.id = d.message")
    }

    @Test func `a part that differs makes a text differ`() {
        let part = SQLText(sqlite: "json_each(?)", postgres: "unnest(?)")
        let text: SQLText = "SELECT value FROM \(part) LIMIT \(3) \("OFFSET ?")"
        #expect(text.sqlite == "SELECT value FROM json_each(?) LIMIT 3 OFFSET ?")
        #expect(text.postgres() == "SELECT value FROM unnest($1) LIMIT 3 OFFSET $2")
        #expect(SQLText.joined([part, "x"], separator: ", ").source == "unnest(?), x")
        #expect(SQLText.joined(["a", "b"], separator: ", ").source == "a, b")
    }

    @Test func `a table of one person's rows is named by the partition, where there is one`() {
        let text: SQLText =
            "SELECT '@person' FROM \(SQLText.deliveryOfPerson) d WHERE d.person = ? AND \("d.state = ?")"
        #expect(text.sqlite == "SELECT '@person' FROM delivery d WHERE d.person = ? AND d.state = ?")
        #expect(text.postgres() == "SELECT '@person' FROM delivery d WHERE d.person = $1 AND d.state = $2")
        for (partition, name) in [(7, "delivery_07"), (63, "delivery_63")] {
            #expect(
                text.postgres(partition: partition)
                    == "SELECT '@person' FROM \(name) d WHERE d.person = $1 AND d.state = $2"
            )
        }
        let other: SQLText = "SELECT 1 FROM delivery WHERE person = ?"
        #expect(other.postgres(partition: 7) == "SELECT 1 FROM delivery WHERE person = $1")
    }

    @Test func `a text has a form for reads of one person, where a part has one`() {
        let part = SQLText(sqlite: "message", postgres: "message", personal: "shown\(SQLText.partitionMark)")
        let text: SQLText = "SELECT 1 FROM \(part) m JOIN \(SQLText.deliveryOfPerson) d ON d.id = ?"
        #expect(text.sqlite == "SELECT 1 FROM message m JOIN delivery d ON d.id = ?")
        let own = text.postgres(partition: 7, isPersonal: true)
        #expect(own == "SELECT 1 FROM shown_07 m JOIN delivery_07 d ON d.id = $1")
        #expect(text.postgres(isPersonal: true) == "SELECT 1 FROM shown m JOIN delivery d ON d.id = $1")
        #expect(text.postgres() == "SELECT 1 FROM message m JOIN delivery d ON d.id = $1")
        let joined = SQLText.joined([part, "x"], separator: ", ")
        #expect(joined.postgres(isPersonal: true) == "shown, x")
        #expect(joined.postgres() == "message, x")
        let other: SQLText = "SELECT 1"
        #expect(other.postgres(isPersonal: true) == "SELECT 1")
    }
}
