import Foundation
import InboxModel
import Testing

/// A message through anyone's encoder: its dates are RFC 3339 whatever the strategy.
@Suite(.timeLimit(.minutes(5))) struct MessageCodableTests {
    private static let encoding: [JSONEncoder.DateEncodingStrategy] = [
        .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
    ]
    private static let decoding: [JSONDecoder.DateDecodingStrategy] = [
        .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
    ]

    @Test(arguments: 0..<4, 0..<4)
    func messages_goThroughAnyDateStrategy(write: Int, read: Int) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = Self.encoding[write]
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = Self.decoding[read]
        let data = try encoder.encode([Samples.full, Samples.bare])
        #expect(try decoder.decode([Message].self, from: data) == [Samples.full, Samples.bare])
        #expect(String(decoding: data, as: UTF8.self).contains(#""deliverAt":"2026-05-01T08:00:00.25Z""#))
    }

    @Test func serversText_isDecoded() throws {
        #expect(try JSONDecoder().decode(Message.self, from: Data(Samples.fullText.utf8)) == Samples.full)
    }

    @Test func propertyLists_carryMessages() throws {
        let data = try PropertyListEncoder().encode([Samples.full, Samples.bare])
        #expect(try PropertyListDecoder().decode([Message].self, from: data) == [Samples.full, Samples.bare])
    }

    @Test func whatIsNoMessage_isADecodingErrorThatNamesThePart() {
        #expect {
            try JSONDecoder().decode(Message.self, from: Data(#"{"id":"m"}"#.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.debugDescription == "/deliverAt is required"
        }
    }
}
