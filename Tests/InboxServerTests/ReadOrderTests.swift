import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct ReadOrderTests {
    @Test func `what an earlier read found doesn't replace what a later one did`() {
        var order = ReadOrder()
        let (first, second, third) = (order.begin(), order.begin(), order.begin())
        #expect(order.end(second))
        #expect(!order.end(first))
        #expect(order.end(third))
        #expect(order.end(order.begin()))
        #expect(!order.end(second))
    }
}
