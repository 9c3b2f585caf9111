import Testing

@testable import Groundwork

@Suite(.timeLimit(.minutes(5))) struct PictureFetchingTests {
    private let addresses = (1...6).map { "https://cdn.example.com/\($0)" }

    private static func limits(size: Int = 5, total: Int = 100, concurrent: Int = 4) -> PictureLimits {
        var limits = PictureLimits()
        (limits.pictureSize, limits.messageSize, limits.concurrent) = (size, total, concurrent)
        return limits
    }

    private func start(_ index: Int, _ size: Int) -> PictureFetching.Start {
        PictureFetching.Start(address: addresses[index], maxBytes: size)
    }

    @Test func `the limits are those of the documentation`() {
        let limits = PictureLimits()
        #expect(limits.pictureSize == 5 * 1_048_576 && limits.messageSize == 20 * 1_048_576)
        #expect(limits.pictureTime == 10 && limits.messageTime == 20 && limits.concurrent == 4 && limits.count == 100)
    }

    @Test func `four pictures are fetched at a time, in their order`() {
        var fetching = PictureFetching(addresses, limits: Self.limits())
        for index in 0..<4 { #expect(fetching.next(at: 0) == start(index, 5)) }
        #expect(fetching.next(at: 0) == nil && !fetching.isIdle)
        fetching.end(addresses[2], received: 3)
        #expect(fetching.next(at: 0) == start(4, 5))
        #expect(fetching.next(at: 0) == nil)
    }

    @Test func `the size that pictures may need is reserved while they are fetched`() {
        var fetching = PictureFetching(addresses, limits: Self.limits(total: 12))
        #expect(fetching.next(at: 0) == start(0, 5))
        #expect(fetching.next(at: 0) == start(1, 5))
        // Two bytes are left. More may be returned.
        #expect(fetching.next(at: 0) == nil)
        fetching.end(addresses[0], received: 2)
        #expect(fetching.next(at: 0) == start(2, 5))
        fetching.end(addresses[1], received: 5)
        fetching.end(addresses[2], received: 4)
        // 11 of 12 bytes are used, and nothing is under way.
        #expect(fetching.next(at: 0) == start(3, 1))
        fetching.end(addresses[3], received: 1)
        #expect(fetching.next(at: 0) == nil && fetching.isIdle)
    }

    @Test func `stored pictures count against the message's size`() {
        var fetching = PictureFetching(addresses, used: 9, limits: Self.limits(total: 10))
        #expect(fetching.next(at: 0) == start(0, 1))
        var full = PictureFetching(addresses, used: 10, limits: Self.limits(total: 10))
        #expect(full.next(at: 0) == nil)
        var over = PictureFetching(addresses, used: 11, limits: Self.limits(total: 10))
        #expect(over.next(at: 0) == nil)
    }

    @Test func `a picture that was too large counts as all that it could receive`() {
        var fetching = PictureFetching(addresses, limits: Self.limits(total: 6))
        #expect(fetching.next(at: 0) == start(0, 5))
        fetching.end(addresses[0], received: nil)
        #expect(fetching.next(at: 0) == start(1, 1))
    }

    @Test func `no picture begins after the message's time`() {
        var fetching = PictureFetching(addresses, limits: Self.limits(concurrent: 1))
        #expect(fetching.next(at: 19.9) == start(0, 5))
        fetching.end(addresses[0], received: 0)
        #expect(fetching.next(at: 20) == nil)
        // A clock that was set back begins none either.
        #expect(fetching.next(at: 3) == nil)
    }

    @Test func `an end that is reported twice counts once`() {
        var fetching = PictureFetching(addresses, limits: Self.limits(total: 5))
        #expect(fetching.next(at: 0) == start(0, 5))
        fetching.end(addresses[0], received: 5)
        fetching.end(addresses[0], received: 0)
        #expect(fetching.next(at: 0) == nil)
    }

    @Test func `failures are tried again later and later, final ones after a day`() {
        let delays = (1...12).map { PictureFailure.unreachable.retryDelay(after: $0) }
        #expect(delays.prefix(3) == [60, 120, 240] && delays.last == 21_600)
        #expect(PictureFailure.unreachable.retryDelay(after: 1_000) == 21_600)
        for failure in [PictureFailure.notFound, .tooLarge, .otherType, .forbidden] {
            #expect(failure.retryDelay(after: 1) == 86_400)
        }
    }
}
