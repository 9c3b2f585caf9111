import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct ChunkedFetchTests {
    /// Runs a fetch against a server that rejects chunks larger than a limit.
    ///
    /// - Returns: The sizes of all requests, and the ids that were answered.
    private func run(
        _ ids: [String],
        limit: Int,
        serverTakes most: Int
    ) async throws -> (sizes: [Int], answered: [String]) {
        var fetch = ChunkedFetch(ids, limit: limit)
        var (sizes, answered): ([Int], [String]) = ([], [])
        try await fetch.run { fetch, chunk in
            sizes.append(chunk.count)
            guard chunk.count <= most else { return false }
            answered += chunk
            fetch.advance()
            return true
        }
        return (sizes, answered)
    }

    private func ids(_ count: Int) -> [String] { (0..<count).map(String.init) }

    @Test func `a fetch without ids requests nothing`() {
        #expect(ChunkedFetch([], limit: 10).next == nil)
    }

    @Test func `chunks have at most the server's limit, and at most 500 ids`() async throws {
        #expect(try await run(ids(25), limit: 10, serverTakes: .max).sizes == [10, 10, 5])
        #expect(try await run(ids(1_200), limit: 10_000, serverTakes: .max).sizes == [500, 500, 200])
        #expect(try await run(ids(2), limit: 0, serverTakes: .max).sizes == [1, 1])
    }

    @Test func `a chunk that is too large is halved, and stays so`() async throws {
        #expect(try await run(ids(16), limit: 16, serverTakes: 4).sizes == [16, 8, 4, 4, 4, 4])
    }

    @Test func `the last chunk is halved by its own size`() async throws {
        #expect(try await run(ids(6), limit: 4, serverTakes: 1).sizes == [4, 2, 1, 1, 1, 1, 1, 1])
        var fetch = ChunkedFetch(ids(3), limit: 500)
        fetch.halve()
        #expect(fetch.next == ["0"])
    }

    @Test(arguments: [1, 2, 3, 7, 50]) func `each id is answered once, in order`(_ most: Int) async throws {
        for count in [1, 2, 31, 500, 501] {
            #expect(try await run(ids(count), limit: 64, serverTakes: most).answered == ids(count))
        }
    }

    @Test func `a single id can't be halved`() {
        var fetch = ChunkedFetch(["a", "b"], limit: 2)
        #expect(fetch.canHalve)
        fetch.halve()
        #expect(!fetch.canHalve)
        #expect(fetch.count == 2)
    }

    @Test func `a part that can't be smaller ends the fetch with an error`() async {
        await #expect(throws: SyncError.self) { _ = try await run(ids(4), limit: 4, serverTakes: 0) }
    }

    @Test func `an error of a request ends the fetch, and it continues with the same part`() async throws {
        var fetch = ChunkedFetch(ids(4), limit: 2)
        await #expect(throws: SyncError.self) {
            try await fetch.run { fetch, chunk in
                guard chunk.contains("0") else { throw SyncError.otherProcess }
                fetch.advance()
                return true
            }
        }
        #expect(fetch.next == ["2", "3"])
    }
}
