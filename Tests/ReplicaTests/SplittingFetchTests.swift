import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct SplittingFetchTests {
    /// Runs a fetch against a server whose answer can't be read if it has one of some ids.
    ///
    /// - Returns: The requests, their ids joined, and the ids that can't be read though they were requested alone.
    private func run(
        _ ids: [String],
        size: Int,
        unreadable: Set<String> = []
    ) async throws -> (requests: [String], answered: [String], unreadable: [String]) {
        var fetch = SplittingFetch(ids, size: size)
        var (requests, answered, skipped): ([String], [String], [String]) = ([], [], [])
        try await fetch.run { fetch, part in
            requests.append(part.joined())
            if unreadable.isDisjoint(with: part) {
                answered += part
            } else if fetch.canHalve {
                return false
            } else {
                skipped += part
            }
            fetch.advance()
            return true
        }
        return (requests, answered, skipped)
    }

    @Test func `a fetch without ids requests nothing`() {
        #expect(SplittingFetch([], size: 10).next == nil)
    }

    @Test func `parts have at most the size, which is at least 1`() async throws {
        let ids = ["a", "b", "c", "d", "e"]
        #expect(try await run(ids, size: 2).requests == ["ab", "cd", "e"])
        #expect(try await run(ids, size: .max).requests == ["abcde"])
        #expect(try await run(ids, size: 0).requests == ["a", "b", "c", "d", "e"])
    }

    @Test func `a rejected part is requested in halves, and later parts keep their size`() async throws {
        let ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
        let result = try await run(ids, size: 4, unreadable: ["c"])
        #expect(result.requests == ["abcd", "ab", "cd", "c", "d", "efgh"])
        #expect(result.answered == ["a", "b", "d", "e", "f", "g", "h"])
        #expect(result.unreadable == ["c"])
    }

    @Test(arguments: [1, 2, 3, 7, 16, 50]) func `each id is answered once, in order, but the unreadable`(_ size: Int)
        async throws
    {
        for count in [1, 2, 31, 100] {
            let ids = (0..<count).map(String.init)
            let unreadable: Set = ["0", "16", "17", String(count - 1)]
            let result = try await run(ids, size: size, unreadable: unreadable)
            #expect(result.answered == ids.filter { !unreadable.contains($0) })
            #expect(result.unreadable == ids.filter(unreadable.contains))
        }
    }

    @Test func `a single id can't be halved`() {
        var fetch = SplittingFetch(["a", "b", "c"], size: 3)
        #expect(fetch.canHalve)
        fetch.halve()
        #expect(fetch.next == ["a"])
        #expect(!fetch.canHalve)
        fetch.halve()
        #expect(fetch.next == ["a"])
        fetch.advance()
        #expect(fetch.next == ["b", "c"])
    }

    @Test func `a single id that is rejected ends the fetch with an error`() async {
        var fetch = SplittingFetch(["a", "b"], size: 2)
        await #expect(throws: SyncError.self) { try await fetch.run { _, _ in false } }
        #expect(fetch.next == ["a"])
    }

    @Test func `an error of a request ends the fetch, and it continues with the same part`() async throws {
        var fetch = SplittingFetch(["a", "b", "c"], size: 1)
        await #expect(throws: SyncError.self) {
            try await fetch.run { fetch, part in
                guard part == ["a"] else { throw SyncError.otherProcess }
                fetch.advance()
                return true
            }
        }
        #expect(fetch.next == ["b"])
    }

    @Test func `a stopped fetch requests nothing further`() async throws {
        var (fetch, requests) = (SplittingFetch(["a", "b", "c"], size: 1), 0)
        try await fetch.run { fetch, _ in
            requests += 1
            fetch.stop()
            return true
        }
        #expect(requests == 1)
        #expect(fetch.next == nil)
    }
}
