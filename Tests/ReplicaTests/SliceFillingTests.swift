import Groundwork
import Testing

@testable import Replica

/// Fetching a slice page by page.
@Suite(.timeLimit(.minutes(5))) struct SliceFillingTests {
    private func filling(_ filters: [JSON], wanted: Int?) -> SliceFilling {
        SliceFilling(Slice(query: "k", filters: filters, isCollapsed: true, wanted: wanted), before: [:])
    }

    private func records(_ range: Range<Int>, where matches: (Int) -> Bool = { _ in true }) -> [(String, Bool)] {
        range.map { ("\($0)", matches($0)) }
    }

    @Test func `a limited slice fetches as many records as its limit`() {
        var filling = filling(["f"], wanted: 3)
        #expect(filling.next(resolved: "f").limit == 3)
        filling.add(records(0..<3), of: 3, isLast: false)
        #expect(filling.isDone && filling.groups.count == 3)
    }

    @Test func `a slice with few matches is fetched in larger pages until its limit or end`() {
        var filling = filling(["f"], wanted: 3)
        filling.add(records(0..<3) { $0 == 0 }, of: 3, isLast: false)
        #expect(!filling.isDone)
        let part = filling.next(resolved: "f")
        #expect(part.position == 3 && part.limit == 50)
        filling.add(records(3..<53) { $0.isMultiple(of: 10) }, of: 50, isLast: false)
        #expect(filling.isDone)
        #expect(filling.groups.filter(\.value).keys.sorted() == ["0", "10", "20", "30", "40", "50"])
        #expect(filling.groups.count == 53, "all fetched records are known")
        var short = self.filling(["f"], wanted: 3)
        short.add(records(0..<2), of: 2, isLast: true)
        #expect(short.isDone && short.groups.count == 2)
    }

    @Test func `a refused filter is replaced by the next from the start, then by the newest`() {
        var filling = filling(["f", "g"], wanted: 2)
        filling.add(records(0..<2) { $0 == 0 }, of: 2, isLast: false)
        filling.refused()
        #expect(filling.currentFilter == "g" && filling.groups.isEmpty)
        #expect(filling.next(resolved: "g").position == 0)
        filling.refused()
        #expect(filling.currentFilter == nil)
        // Of the newest threads, no further pages are fetched, whether they match the query or not.
        filling.add(records(0..<2) { _ in false }, of: 2, isLast: false)
        #expect(filling.isDone && filling.groups == ["0": false, "1": false])
    }

    @Test func `without a limit, a slice fetches all, or the newest two hundred`() {
        var all = filling([.null], wanted: nil)
        #expect(all.next(resolved: .null).limit == 500)
        all.add(records(0..<500), of: 500, isLast: false)
        #expect(!all.isDone && all.next(resolved: .null).position == 500)
        #expect(filling([], wanted: nil).next(resolved: nil).limit == 200)
        #expect(filling(["f"], wanted: 0).isDone)
    }
}
