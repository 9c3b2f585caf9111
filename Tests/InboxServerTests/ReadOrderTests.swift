import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct ReadOrderTests {
    @Test func `what an earlier read found doesn't replace what a later one did`() {
        var order = ReadOrder()
        let numbers = (0..<4).map { _ in order.begin() }
        let isLatest = [1, 0, 2, 1, 3].map { order.end(numbers[$0]) }
        #expect(isLatest == [true, false, true, false, true])
    }
}
