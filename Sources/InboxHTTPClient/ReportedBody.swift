import Groundwork
import NIOCore

/// The body of a request in pieces, which reports how much of it was taken by the connection.
struct ReportedBody: AsyncSequence, Sendable {
    let bytes: [UInt8]
    let didSend: SendProgress

    private static let pieceSize = 65_536

    struct Iterator: AsyncIteratorProtocol {
        let body: ReportedBody
        var sent = 0

        mutating func next() async -> ByteBuffer? {
            // The piece before was taken.
            if sent > 0 { body.didSend(sent) }
            guard sent < body.bytes.count else { return nil }
            let end = Swift.min(sent + ReportedBody.pieceSize, body.bytes.count)
            defer { sent = end }
            return ByteBuffer(bytes: body.bytes[sent..<end])
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}
