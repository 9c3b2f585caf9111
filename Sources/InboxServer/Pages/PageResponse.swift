import Crypto
import Foundation
import Groundwork
import HTTPTypes
import HTMLCleaning
import Hummingbird
import InboxService
import NIOCore

/// The responses of the page, with headers that restrict the browser.
enum PageResponse {
    /// Returns a page with a person's messages. Its bytes count against the person's share until it is sent.
    ///
    /// - Throws: ``BudgetError`` if the person's responses in flight are at the limit.
    static func page(
        _ html: [UInt8],
        nonce: String,
        holding share: ByteShare,
        on channel: any Channel
    ) throws(BudgetError) -> Response {
        guard share.add(html.count) else { throw BudgetError(.share(share.limit)) }
        var response = page(html, nonce: nonce)
        response.body = ResponseBody(ByteBuffer(bytes: html), holding: share, on: channel)
        return response
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

    /// Returns the document of a message's HTML, which only the page's own frame shows. Opened by itself it is
    /// sandboxed too: it has an origin of its own, and runs nothing.
    ///
    /// - Throws: ``BudgetError`` if the person's responses in flight are at the limit.
    static func frame(
        _ document: HTMLDocument,
        holding share: ByteShare,
        on channel: any Channel
    ) throws(BudgetError) -> Response {
        let html = ByteBuffer(string: document.markup)
        guard share.add(html.readableBytes) else { throw BudgetError(.share(share.limit)) }
        let sandbox = "sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
            .contentSecurityPolicy: "\(document.contentSecurityPolicy); \(sandbox)",
        ]
        addSafety(to: &headers)
        return Response(status: .ok, headers: headers, body: ResponseBody(html, holding: share, on: channel))
    }

    /// Redirects with GET.
    static func redirect(to address: String) -> Response {
        var headers: HTTPFields = [.location: address, .cacheControl: "no-store"]
        addSafety(to: &headers)
        return Response(status: .seeOther, headers: headers)
    }

    /// A file that is the same for everyone and changes only with the server's version.
    struct File: Sendable {
        private let content: ByteBuffer
        private let type: String
        private let tag: String

        init(_ text: String, type: String) {
            content = ByteBuffer(string: text)
            self.type = type
            tag = "\"\(SHA256.hash(data: Array(text.utf8)).prefix(12).hexadecimal)\""
        }

        func response(to request: Request) -> Response {
            var headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
            PageResponse.addSafety(to: &headers)
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
            "connect-src 'self'", "form-action 'self'", "frame-src 'self'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    private static func addSafety(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        // Other sites receive no referrer. The page's own forms need their `Origin`, which `no-referrer` would
        // suppress.
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "same-origin" }
    }
}
