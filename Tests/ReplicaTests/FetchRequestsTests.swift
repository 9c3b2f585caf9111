import ReplicaTesting
import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct FetchRequestsTests {
    @Test func `equal requests share one outcome`() throws {
        var requests = FetchRequests()
        let (first, second) = (requests.add(.ids(["a"]), of: .note), requests.add(.ids(["a"]), of: .note))
        let other = requests.add(.ids(["b"]), of: .note)
        #expect(requests.next(of: .note) == .ids(["a"]))
        requests.complete(
            .ids(["a"]),
            of: .note,
            .success(RequestedRecordsResponse(count: 1, isLast: true, state: "1"))
        )
        #expect(try requests.outcome(of: first)?.get().count == 1)
        #expect(try requests.outcome(of: second)?.get().count == 1)
        #expect(requests.outcome(of: other) == nil)
        #expect(requests.next(of: .note) == .ids(["b"]))
    }

    @Test func `a removed request isn't requested`() {
        var requests = FetchRequests()
        let number = requests.add(.ids(["a"]), of: .note)
        requests.remove(number)
        #expect(requests.next(of: .note) == nil)
        #expect(requests.outcome(of: number) == nil)
    }

    @Test func `a failed request isn't requested again`() {
        var requests = FetchRequests()
        let number = requests.add(.ids(["a"]), of: .note)
        requests.complete(.ids(["a"]), of: .note, .failure(.otherProcess))
        #expect(requests.next(of: .note) == nil)
        #expect(throws: SyncError.self) { try requests.outcome(of: number)?.get() }
    }
}
