import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// A browser without a user interface. It accepts HTML, keeps the page's cookie and doesn't follow redirects.
final class Browser {
    let server: TestServer
    /// The cookie's name and value. Nil while signed out.
    var cookie: String?
    /// The headers of every request.
    var headers = ["Accept": "text/html,*/*;q=0.8", "Sec-Fetch-Site": "same-origin", "Host": "127.0.0.1"]

    struct Answer {
        let status: Int
        /// The headers by lowercase name. Several cookies are joined by line breaks.
        let headers: [String: String]
        let text: String
        /// The text without tags, with single spaces.
        var words: String {
            text.replacing(/<style.*?<\/style>/.dotMatchesNewlines(), with: " ").replacing(/<[^>]*>/, with: " ")
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    init(_ server: TestServer) {
        self.server = server
    }

    /// A form's address and its encoded fields.
    struct Form {
        let action: String
        let body: String
    }

    /// Returns a browser in which a person is signed in.
    static func signedIn(_ person: String, on server: TestServer) async throws -> Browser {
        let browser = Browser(server)
        let answer = try await browser.signIn(with: try await server.token(for: person))
        #expect(answer.status == 303)
        return browser
    }

    @discardableResult
    func signIn(with token: String, to destination: String = "") async throws -> Answer {
        let answer = try await post("/inbox/sign-in", "token=\(token)&to=\(destination)")
        if let set = answer.headers["set-cookie"] { cookie = set.split(separator: ";").first.map { String($0) } }
        return answer
    }

    func get(_ path: String, _ more: [String: String] = [:]) async throws -> Answer {
        try await send("GET", path, nil, more)
    }

    func post(_ path: String, _ form: String = "", _ more: [String: String] = [:]) async throws -> Answer {
        try await send("POST", path, form, more)
    }

    private func send(_ method: String, _ path: String, _ form: String?, _ more: [String: String]) async throws
        -> Answer
    {
        var headers = headers.merging(more) { _, new in new }.filter { !$0.value.isEmpty }
        headers["Cookie"] = [cookie, more["Cookie"]].compactMap { $0 }.joined(separator: "; ")
        if let form {
            headers["Content-Type"] = more["Content-Type"] ?? "application/x-www-form-urlencoded"
            headers["Content-Length"] = String(form.utf8.count)
        }
        let head = ["\(method) \(path) HTTP/1.1", "Connection: close"] + headers.map { "\($0): \($1)" }
        let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + (form ?? "")).utf8)
        // The server closes the connection behind the page.
        let answer = await RawConnection.send(bytes, to: server.url.port ?? 0, quiet: 120)
        guard let end = answer.text.range(of: "\r\n\r\n") else { throw UnexpectedResponse(answer: answer.text) }
        var fields: [String: String] = [:]
        for line in answer.text[..<end.lowerBound].components(separatedBy: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            fields[parts[0].lowercased(), default: ""] +=
                (fields[parts[0].lowercased()] == nil ? "" : "\n") + (parts.last ?? "")
        }
        return Answer(status: answer.statuses.first ?? 0, headers: fields, text: String(answer.text[end.upperBound...]))
    }
}

extension Browser.Answer {
    /// The form of the notice, which undoes the action before.
    func undoForm() throws -> Browser.Form {
        let form = try #require(
            text.firstMatch(
                of: /<form method="post" action="([^"]+)"><input type="hidden" name="undo" value="([^"]+)">/
            )
        )
        return Browser.Form(action: String(form.1).replacing("&amp;", with: "&"), body: "undo=\(form.2)")
    }

    /// The ids of the listed messages.
    var keys: [String] { text.matches(of: /data-key="([^"]+)"/).map { String($0.1) } }
}

extension Browser {
    /// Sends a form that changes messages, and returns the list to which it leads.
    func change(_ fields: String, _ query: String = "") async throws -> Answer {
        let answer = try await post("/inbox/messages" + query, fields)
        #expect(answer.status == 303, "\(answer.words)")
        return try await get(try #require(answer.headers["location"]))
    }
}
