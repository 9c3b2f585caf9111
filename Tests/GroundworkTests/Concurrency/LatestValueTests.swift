import Groundwork
import Testing

@Suite(.timeLimit(.minutes(5))) struct LatestValueTests {
    @Test func `setting an equal value notifies no observer`() async {
        let value = LatestValue(1)
        var values = value.values().makeAsyncIterator()
        #expect(await values.next() == 1)
        value.set(1)
        value.finish()
        #expect(await values.next() == nil)
    }

    @Test func `after several changes, an observer receives the newest value`() async {
        let value = LatestValue(1)
        var values = value.values().makeAsyncIterator()
        #expect(await values.next() == 1)
        for number in 2...5 { value.set(number) }
        #expect(await values.next() == 5)
        #expect(value.value == 5)
    }
}
