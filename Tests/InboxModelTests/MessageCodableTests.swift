import Foundation
import InboxModel
import Testing

/// A message through Foundation's encoders: its dates are RFC 3339 with every strategy.
@Suite(.timeLimit(.minutes(5))) struct MessageCodableTests {
    private static let encoding: [JSONEncoder.DateEncodingStrategy] = [
        .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
    ]
    private static let decoding: [JSONDecoder.DateDecodingStrategy] = [
        .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
    ]

    @Test(arguments: 0..<4, 0..<4)
    func `messages survive every date strategy`(write: Int, read: Int) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = Self.encoding[write]
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = Self.decoding[read]
        let data = try encoder.encode([Samples.full, Samples.bare])
        #expect(try decoder.decode([Message].self, from: data) == [Samples.full, Samples.bare])
        #expect(String(decoding: data, as: UTF8.self).contains(#""deliverAt":"2026-05-01T08:00:00.25Z""#))
    }

    @Test func `the server's text is decoded`() throws {
        #expect(try JSONDecoder().decode(Message.self, from: Data(Samples.fullText.utf8)) == Samples.full)
    }

    @Test func `a property list holds messages`() throws {
        let data = try PropertyListEncoder().encode([Samples.full, Samples.bare])
        #expect(try PropertyListDecoder().decode([Message].self, from: data) == [Samples.full, Samples.bare])
    }

    @Test func `decoding something else is an error that names the missing part`() {
        #expect {
            try JSONDecoder().decode(Message.self, from: Data(#"{"id":"m"}"#.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.debugDescription == "/deliverAt is required"
        }
    }
}
