import Foundation

/// The request with which a browser returns to this machine, as far as it has arrived.
enum LoopbackRequest: Equatable {
    case incomplete
    case refused(LoopbackResponse)
    case returned(URL)

    /// Reads a request's line and header fields. It has no body.
    ///
    /// The `Host` has to be this machine's address: a page of another host, whose name leads here, is refused.
    static func read(_ bytes: [UInt8], path: String, port: Int) -> LoopbackRequest {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return .incomplete }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1."), parts[1].hasPrefix("/"), !parts[1].hasPrefix("//")
        else { return .refused(.badRequest) }
        let hosts = lines.dropFirst().compactMap { line -> String? in
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2, field[0].lowercased() == "host" else { return nil }
            return field[1].trimmingCharacters(in: .whitespaces)
        }
        guard hosts == ["127.0.0.1:\(port)"] else { return .refused(.badRequest) }
        guard let url = URL(string: "http://127.0.0.1:\(port)\(parts[1])"), url.path() == path else {
            return .refused(.notFound)
        }
        guard parts[0] == "GET" else { return .refused(.wrongMethod) }
        // A browser may look at the page without an answer, such as to show a preview.
        guard let fields = FormData.fields(url.query() ?? ""), fields["code"] != nil || fields["error"] != nil else {
            return .refused(.badRequest)
        }
        return .returned(url)
    }
}

/// The answer to a browser that has returned. Nothing of its request is in it.
struct LoopbackResponse: Equatable {
    let status: String
    let title: String
    let text: String

    static let finished = LoopbackResponse(
        status: "200 OK",
        title: "Back to your mail",
        text: "The sign-in continues in the program that you came from. You can close this page."
    )
    static let badRequest = failure("400 Bad Request", "This isn't the answer to a sign-in.")
    static let notFound = failure("404 Not Found", "There is nothing at this address.")
    static let wrongMethod = failure("405 Method Not Allowed", "This address can only be opened.")
    static let tooLarge = failure("431 Request Header Fields Too Large", "The request is too large.")

    private static func failure(_ status: String, _ text: String) -> LoopbackResponse {
        LoopbackResponse(status: status, title: "Not signed in", text: text)
    }

    var bytes: [UInt8] {
        let page = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title)</title>
            <style>body { font: 18px system-ui; margin: 20vh auto; max-width: 30em; padding: 0 1em; \
            color-scheme: light dark }</style>
            <h1>\(title)</h1>
            <p>\(text)</p>
            </html>

            """
        let head = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)",
            "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "X-Content-Type-Options: nosniff",
            "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + page).utf8)
    }
}
