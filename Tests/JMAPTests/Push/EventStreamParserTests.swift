import JMAP
import Testing

/// Event streams, cut at any byte (HTML Standard, §9.2).
@Suite(.timeLimit(.minutes(5))) struct EventStreamParserTests {
    private func parse(_ text: String) throws -> [EventStreamEvent] {
        var parser = EventStreamParser()
        return try parser.parse(text.utf8)
    }

    /// A stream with everything that the format allows.
    private static let stream = """
        \u{FEFF}: comment\r\nevent: state\r\nid: 1\r\ndata: {"a":1}\r\n\r\nretry: 5\rdata\rdata:\rdata:  two\r\r:\n\n\
        event: ping\ndata:ä€😀\nid: x\0y\n\nid\ndata: last\n\nevent: lost\n\ndata: unfinished\n
        """
    private static let events = [
        EventStreamEvent(name: "state", data: #"{"a":1}"#, id: "1"),
        EventStreamEvent(data: "\n\n two", id: "1"),
        EventStreamEvent(name: "ping", data: "ä€😀", id: "1"),
        EventStreamEvent(data: "last", id: ""),
    ]

    @Test func `a whole stream yields its events`() throws {
        #expect(try parse(Self.stream) == Self.events)
    }

    @Test func `a stream cut at any byte yields the same events`() throws {
        let bytes = Array(Self.stream.utf8)
        for cut in 0...bytes.count {
            var parser = EventStreamParser()
            let events = try parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...])
            #expect(events == Self.events, "cut at \(cut)")
        }
        var parser = EventStreamParser()
        #expect(try bytes.flatMap { byte in try parser.parse([byte]) } == Self.events)
    }

    @Test(arguments: 0..<50)
    func `a random stream cut at random yields the same events`(seed: UInt64) throws {
        var random = Chance(seed: seed)
        let pieces = [
            "data", "data:", "data: x", "data:  y:z", "event: e", "event", "id: 7", "id:\0", "id", ":", ": c",
            "\u{FEFF}data: b",
            "retry: 1", "unknown: ä", "", "", "", "Data: no", " data: no", "😀",
        ]
        let text = (0..<60).map { _ in
            (pieces.randomElement(using: &random) ?? "") + (["\n", "\r", "\r\n"].randomElement(using: &random) ?? "")
        }.joined()
        let bytes = Array(text.utf8)
        let whole = try parse(text)
        for _ in 0..<20 {
            var parser = EventStreamParser()
            var events: [EventStreamEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(7, rest.count), using: &random)
                events += try parser.parse(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(events == whole)
        }
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `CR, LF and CRLF each end a line`(end: String) throws {
        let text = ["event: a", "data: 1", "data: 2", "", "data: 3", "", ""].joined(separator: end)
        #expect(try parse(text) == [EventStreamEvent(name: "a", data: "1\n2"), EventStreamEvent(data: "3")])
    }

    @Test func `a byte order mark is dropped at the start only`() throws {
        #expect(
            try parse("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\ndata: \u{FEFF}c\n\n").map(\.data) == ["a", "\u{FEFF}c"]
        )
    }

    @Test func `comments are dropped`() throws {
        #expect(try parse(": ping\n\n:\n\ndata: a\n: between\ndata: b\n\n").map(\.data) == ["a\nb"])
    }

    @Test func `one space after the colon is dropped`() throws {
        #expect(try parse("data:a\n\ndata: a\n\ndata:  a\n\ndata:\ta\n\n").map(\.data) == ["a", "a", " a", "\ta"])
    }

    @Test func `an id with NUL is ignored and the last id stays`() throws {
        #expect(try parse("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\nid\ndata: c\n\n").map(\.id) == ["1", "1", ""])
    }

    @Test func `an event without data is dropped`() throws {
        #expect(try parse("event: a\nid: 1\n\ndata\n\n") == [EventStreamEvent(data: "", id: "1")])
    }

    @Test func `field names are matched exactly`() throws {
        #expect(try parse("Data: a\n\n data: b\n\ndata : c\n\n").isEmpty)
    }

    @Test func `bytes that aren't UTF-8 are replaced`() throws {
        var parser = EventStreamParser()
        #expect(try parser.parse(Array("data: ".utf8) + [0xFF, 0x0A, 0x0A]).map(\.data) == ["\u{FFFD}"])
    }

    @Test func `an unfinished event is buffered up to the limit`() throws {
        var parser = EventStreamParser(limit: 16)
        #expect(try parser.parse("data: 3456789abc\n\n".utf8).map(\.data) == ["3456789abc"])
        #expect(throws: EventStreamParser.TooLarge.self) { try parser.parse("data: 3456789abcd".utf8) }

        var lines = EventStreamParser(limit: 16)
        #expect(throws: EventStreamParser.TooLarge.self) {
            for _ in 0..<10 { _ = try lines.parse("data: 123\n".utf8) }
        }

        var many = EventStreamParser(limit: 16)
        for _ in 0..<1000 { #expect(try many.parse("data: 123\n\n".utf8).count == 1) }
    }
}

/// Random numbers that are the same in each run, for the parser's tests.
private struct Chance: RandomNumberGenerator {
    var seed: UInt64

    mutating func next() -> UInt64 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return seed ^ (seed >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
}
