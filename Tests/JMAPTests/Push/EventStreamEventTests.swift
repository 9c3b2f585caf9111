import JMAP
import Testing

/// Events in the format of the stream.
@Suite(.timeLimit(.minutes(5))) struct EventStreamEventTests {
    @Test func `an event is written in the standard's format`() {
        let event = EventStreamEvent(name: "state", data: "a\nb", id: "7")
        #expect(String(decoding: event.bytes, as: UTF8.self) == "event: state\nid: 7\ndata: a\ndata: b\n\n")
    }

    @Test(arguments: ["", "a", " a", "a\n", "\n", "\n\n", "a\nb\n\nc", "ä: €", "data: x"])
    func `an event is the same after it is written and parsed`(data: String) throws {
        var parser = EventStreamParser()
        let events = [EventStreamEvent(data: data, id: "1"), EventStreamEvent(name: "n", data: data, id: "2")]
        #expect(try parser.parse(events.flatMap(\.bytes)) == events)
    }

    @Test func `every line break of the data arrives as a line feed`() throws {
        var parser = EventStreamParser()
        let event = EventStreamEvent(data: "a\r\nb\rc\nd\n\re", id: "1")
        #expect(try parser.parse(event.bytes).map(\.data) == ["a\nb\nc\nd\n\ne"])
    }
}
