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

    /// The order of two threads decides: of 20,000 streams, some missed the value that was set meanwhile.
    @Test func `a value that is set while a stream begins is received`() async {
        for _ in 0..<20_000 {
            let value = LatestValue(1)
            let setting = Task { value.set(2) }
            var values = value.values().makeAsyncIterator()
            var last = await values.next()
            if last == 1 {
                await setting.value
                value.finish()
                last = await values.next()
            }
            #expect(last == 2)
        }
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
