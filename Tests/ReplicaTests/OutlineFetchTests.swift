import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct OutlineFetchTests {
    private var fetch = OutlineFetch()

    private func position(upTo: String? = nil, cursor: String? = nil) -> OutlinePosition {
        OutlinePosition(isAvailable: true, upTo: upTo, cursor: cursor, isComplete: false, mayMissRecords: true)
    }

    private func answer(after: String?, state: String?) -> SyncResponse.Pull {
        .outline(OutlinePage(rows: [], after: after, state: state))
    }

    /// A step by its name: `store` and whether the page is current.
    private func name(_ step: OutlineFetch.Step) -> String {
        switch step {
        case .store(_, let isCurrent): isCurrent ? "store current" : "store"
        case .requestLess: "less"
        case .startOver: "start over"
        case .skip: "skip"
        }
    }

    @Test func `the first page is of the store's state, later ones of the outline's`() {
        let first = fetch.page(at: position(), "5", limit: 100)
        #expect(first == OutlineFetch.Page(upTo: "5", cursor: nil, limit: 500, isFirst: true))
        let second = fetch.page(at: position(upTo: "5", cursor: "c"), "6", limit: 1_000)
        #expect(second == OutlineFetch.Page(upTo: "5", cursor: "c", limit: 2_500, isFirst: false))
        #expect(second.pull == .outline(upTo: "5", after: "c", limit: 2_500))
    }

    @Test mutating func `a page that is too large halves from the requested number, down to one row`() throws {
        var limits: [Int] = []
        while true {
            let page = fetch.page(at: position(), "5", limit: 4)
            limits.append(page.limit)
            guard page.canHalve else { break }
            #expect(name(try fetch.answered(.tooLarge, to: page, at: "5")) == "less")
        }
        #expect(limits == [20, 10, 5, 2, 1])
        let last = fetch.page(at: position(), "5", limit: 4)
        #expect(throws: SyncError.self) { try fetch.answered(.tooLarge, to: last, at: "5") }
    }

    @Test mutating func `the last page of a later state is requested again, five times in a round`() throws {
        let page = fetch.page(at: position(upTo: "5", cursor: "c"), "5", limit: 100)
        for _ in 1...2 {
            for _ in 1...5 {
                #expect(name(try fetch.answered(answer(after: nil, state: "6"), to: page, at: "5")) == "store")
            }
            let step = try fetch.answered(answer(after: nil, state: "6"), to: page, at: "5")
            #expect(name(step) == "store current")
            fetch.beginRound()
        }
    }

    @Test mutating func `a page of the store's state, or of an unknown one, is current`() throws {
        let page = fetch.page(at: position(), "5", limit: 100)
        for state in ["5", nil] {
            let step = try fetch.answered(answer(after: nil, state: state), to: page, at: "5")
            #expect(name(step) == "store current")
        }
        for _ in 1...7 {
            let step = try fetch.answered(answer(after: "d", state: "6"), to: page, at: "5")
            #expect(name(step) == "store", "pages before the last one aren't counted")
        }
    }

    @Test mutating func `a cursor that leads to itself is an error`() {
        let page = fetch.page(at: position(upTo: "5", cursor: "c"), "5", limit: 100)
        #expect(throws: SyncError.self) { try fetch.answered(answer(after: "c", state: "5"), to: page, at: "5") }
    }

    @Test mutating func `a forgotten state starts the outline over, a rejected first page skips it`() throws {
        let first = fetch.page(at: position(), "5", limit: 100)
        let later = fetch.page(at: position(upTo: "5"), "5", limit: 100)
        #expect(name(try fetch.answered(.cannotCalculateChanges, to: later, at: "5")) == "start over")
        #expect(throws: SyncError.self) { try fetch.answered(.cannotCalculateChanges, to: first, at: "5") }
        #expect(name(fetch.rejected(later)) == "start over")
        #expect(name(fetch.rejected(first)) == "skip")
    }
}
