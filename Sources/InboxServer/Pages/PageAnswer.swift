import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import InboxService
import NIOCore

/// The answers of the page, with the headers that keep a browser from doing anything else with them.
enum PageAnswer {
    /// A page of a person's with their messages: its bytes are theirs until it is sent.
    ///
    /// - Throws: ``BudgetError`` where the person has as many on their way as may be.
    static func page(
        _ html: [UInt8],
        nonce: String,
        keeping share: ByteShare,
        on channel: any Channel
    ) throws(BudgetError) -> Response {
        guard share.add(html.count) else { throw BudgetError(.share(share.limit)) }
        var answer = page(html, nonce: nonce)
        answer.body = ResponseBody(ByteBuffer(bytes: html), keeping: share, on: channel)
        return answer
    }

    /// Returns a person's page, which no cache may store.
    static func page(
        _ html: [UInt8],
        status: HTTPResponse.Status = .ok,
        nonce: String,
        headers more: HTTPFields = [:]
    ) -> Response {
        var headers = more
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        headers[.contentSecurityPolicy] = policy(nonce: nonce)
        addSafety(to: &headers)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: html)))
    }

    /// Leads on, by GET.
    static func redirect(to address: String) -> Response {
        var headers: HTTPFields = [.location: address, .cacheControl: "no-store"]
        addSafety(to: &headers)
        return Response(status: .seeOther, headers: headers)
    }

    /// A file that is the same for everyone until the server is another version.
    struct File: Sendable {
        private let content: ByteBuffer
        private let type: String
        private let tag: String

        init(_ text: String, type: String) {
            content = ByteBuffer(string: text)
            self.type = type
            tag =
                "\""
                + SHA256.hash(data: Array(text.utf8)).prefix(12).map { byte in
                    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
                }.joined() + "\""
        }

        func response(to request: Request) -> Response {
            var headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
            PageAnswer.addSafety(to: &headers)
            if request.headers[.ifNoneMatch].map({ $0 == "*" || $0.contains(tag) }) ?? false {
                return Response(status: .notModified, headers: headers)
            }
            headers[.contentType] = type
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: content))
        }
    }

    private static func policy(nonce: String) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-\(nonce)'", "img-src http: https:",
            "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    private static func addSafety(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        // Other sites hear nothing; the page's own forms need their `Origin`, which `no-referrer` would hide.
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
    }
}
