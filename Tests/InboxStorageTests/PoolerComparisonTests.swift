import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct PoolerComparisonTests {
    private func row(session: Int? = 1, seenAt: Int = 20_000) -> NodeNumber.Row {
        NodeNumber.Row(id: 0, session: session, seenAt: seenAt, groups: 1)
    }

    @Test func `a pooler leads elsewhere once two rows in succession aren't the server's own`() {
        let others = [nil, row(session: nil), row(session: 2), row(seenAt: 20_000 - PoolerComparison.lag - 1)]
        for other in others {
            var comparison = PoolerComparison()
            comparison.note(other, beside: row())
            #expect(!comparison.isElsewhere)
            comparison.note(other, beside: row())
            #expect(comparison.isElsewhere)
            // A heartbeat that is a little older, or newer.
            comparison.note(row(seenAt: 20_000 - PoolerComparison.lag), beside: row())
            #expect(!comparison.isElsewhere)
            comparison.note(row(seenAt: 30_000), beside: row())
            comparison.note(other, beside: row())
            #expect(!comparison.isElsewhere)
        }
    }
}
