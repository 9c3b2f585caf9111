import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct WindowFetchTests {
    @Test func `pages follow one another until the device has enough`() {
        var fetch = WindowFetch(since: nil, maxRecords: 5, limit: 2)
        #expect(fetch.next == WindowFetch.Page(position: 0, limit: 2))
        #expect(fetch.received(2, state: "7", queryState: "q") == ("7", false))
        #expect(fetch.next == WindowFetch.Page(position: 2, limit: 2))
        #expect(fetch.received(2, state: "9", queryState: "q") == ("7", false), "the first state counts")
        #expect(fetch.next == WindowFetch.Page(position: 4, limit: 1))
        #expect(fetch.received(1, state: "9", queryState: "q") == ("7", true))
        #expect(fetch.next == nil)
    }

    @Test func `without a limit, an empty page is the last`() {
        var fetch = WindowFetch(since: "3", maxRecords: nil, limit: 2)
        #expect(fetch.received(1, state: "7", queryState: nil) == ("3", false), "the earliest state counts")
        #expect(fetch.received(0, state: "7", queryState: nil) == ("3", true))
    }

    @Test func `a list that changes while it is read is read again, five times at most`() {
        var fetch = WindowFetch(since: nil, maxRecords: 4, limit: 2)
        for reading in 1..<WindowFetch.maxReadings {
            #expect(fetch.next?.position == 0)
            #expect(!fetch.received(2, state: "1", queryState: "a\(reading)").isLast)
            #expect(fetch.next?.position == 2)
            #expect(!fetch.received(2, state: "1", queryState: "b\(reading)").isLast)
        }
        #expect(fetch.next?.position == 0)
        #expect(!fetch.received(2, state: "1", queryState: "a").isLast)
        #expect(fetch.received(2, state: "1", queryState: "b").isLast)
    }

    @Test func `a page that is too large halves by the requested number, down to one record`() {
        var fetch = WindowFetch(since: nil, maxRecords: 9, limit: 100)
        #expect(fetch.next?.limit == 9 && fetch.canHalve)
        fetch.halve()
        #expect(fetch.next?.limit == 4)
        fetch.halve()
        fetch.halve()
        #expect(fetch.next?.limit == 1 && !fetch.canHalve)
    }

    @Test func `a last page of one record can't be smaller`() {
        var fetch = WindowFetch(since: nil, maxRecords: 3, limit: 2)
        #expect(fetch.received(2, state: "1", queryState: nil) == ("1", false))
        #expect(fetch.next?.limit == 1 && !fetch.canHalve)
    }
}

@Suite(.timeLimit(.minutes(5))) struct IDListingTests {
    @Test func `pages follow one another up to the total, or to an empty one`() {
        var listing = IDListing()
        #expect(listing.next == WindowFetch.Page(position: 0, limit: 10_000))
        listing.received(["c", "b"], total: 3, queryState: "q")
        #expect(listing.next?.position == 2 && !listing.isComplete)
        listing.received(["a"], total: 3, queryState: "q")
        #expect(listing.ids == ["c", "b", "a"] && listing.isComplete && listing.next == nil)
        listing = IDListing()
        listing.received(["a"], total: nil, queryState: nil)
        #expect(!listing.isComplete)
        listing.received([], total: nil, queryState: nil)
        #expect(listing.ids == ["a"] && listing.isComplete)
    }

    @Test func `a list that changes is read from its start, and all ids found are kept once`() {
        var listing = IDListing()
        listing.received(["c", "b"], total: 4, queryState: "1")
        listing.received(["b"], total: 4, queryState: "2")
        #expect(listing.next?.position == 0 && !listing.isComplete)
        listing.received(["d", "c"], total: 4, queryState: "2")
        #expect(listing.next?.position == 2)
        listing.received(["b", "a"], total: 4, queryState: "2")
        #expect(listing.ids == ["c", "b", "d", "a"] && listing.isComplete)
    }

    @Test func `a list that changes without end is read five times`() {
        var listing = IDListing()
        var requests = 0
        while !listing.isComplete, requests < 100 {
            listing.received(["\(requests)"], total: 100, queryState: "\(requests)")
            requests += 1
        }
        #expect(requests == 2 * WindowFetch.maxReadings)
    }

    @Test func `a page that is too large halves`() {
        var listing = IDListing()
        listing.halve()
        #expect(listing.next?.limit == 5_000 && listing.canHalve)
    }
}
