import Foundation
import Groundwork
import JMAP
import Replica

extension Mail {
    /// A mail that a search has found.
    public struct SearchResult: Hashable, Sendable, Identifiable {
        /// The mail's id.
        public var id: String { message.id }
        /// The mail.
        public let message: MailMessage
        /// The subject, with the matches highlighted.
        public let subject: HighlightedText
        /// The part of the text around the matches, highlighted; the beginning of the text if the matches are
        /// elsewhere.
        public let snippet: HighlightedText
    }

    /// Searches the mails on this device: subjects, names, addresses, and the texts that are stored.
    ///
    /// A mail matches if each search word is a prefix of one of its words, without regard to case and accents. The
    /// newest come first.
    ///
    /// - Parameters:
    ///   - text: The search words, at most 32 of which are used. A text without words finds nothing.
    ///   - limit: The maximum number of results.
    /// - Throws: `MailError`: `invalidArgument` for a negative limit, `storage`, `closed`.
    @concurrent
    public func search(_ text: String, limit: Int = 50) async throws -> [SearchResult] {
        guard limit >= 0 else { throw MailError(.invalidArgument, "limit must not be negative.") }
        guard let expression = SearchIndex.expression(text) else { return [] }
        return try await read { db in try db.search(expression, limit: limit) }
    }

    /// Searches the mails on the server: the complete texts, and attachments if the server searches them. The newest
    /// come first.
    ///
    /// Results that aren't on this device yet are left out; the next sync fetches them. If the device keeps slices, the
    /// results become a slice, and this call syncs.
    ///
    /// - Throws: `MailError`: `invalidArgument` for a negative limit, `notConnected` and others if the server can't be
    ///   reached, `closed`.
    @concurrent
    public func searchServer(_ text: String, limit: Int = 50) async throws -> [SearchResult] {
        guard limit >= 0 else { throw MailError(.invalidArgument, "limit must not be negative.") }
        guard SearchIndex.expression(text) != nil, limit > 0 else { return [] }
        let found: [Snippet]
        do {
            try checkOpen()
            if let slices {
                try await slices.store(.search(text, limit: limit))
                try await engine.sync()
            }
            found = try await serverSnippets(text, limit: limit)
        } catch {
            throw MailError.wrapping(error)
        }
        let ids = found.map(\.id)
        let query = try StoreQuery(Query(where: #Predicate { ids.contains($0.id) }), .email)
        let messages = Dictionary(
            try await read { db in try query.fetch(db) }.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return found.compactMap { snippet in
            messages[snippet.id].map { message in
                SearchResult(
                    message: message,
                    subject: snippet.subject ?? HighlightedText(message.subject),
                    snippet: snippet.preview ?? HighlightedText(message.snippet)
                )
            }
        }
    }

    private struct Snippet {
        let id: String
        let subject, preview: HighlightedText?
    }

    /// Sends `Email/query` and, with a result reference, `SearchSnippet/get` (RFC 8621, section 5.1).
    private func serverSnippets(_ text: String, limit: Int) async throws -> [Snippet] {
        let account = try await engine.account(for: .email)
        let filter: JSON = ["text": .string(text)]
        let response = try await connection.call(
            Request(
                using: [CoreCapability.uri, MailCapability.mail],
                methodCalls: [
                    Invocation(
                        "Email/query",
                        JSONObject([
                            ("accountId", .string(account)), ("filter", filter),
                            ("sort", [["property": "receivedAt", "isAscending": false]]), ("limit", JSON(limit)),
                        ]),
                        callID: "query"
                    ),
                    Invocation(
                        "SearchSnippet/get",
                        JSONObject([
                            ("accountId", .string(account)), ("filter", filter),
                            ("#emailIds", ResultReference(resultOf: "query", name: "Email/query", path: "/ids").json),
                        ]),
                        callID: "snippets"
                    ),
                ]
            )
        )
        guard let query = response.answer(to: "query") else { throw SyncError.malformed("no answer to Email/query") }
        guard query.name != "error" else { throw SyncError.method(MethodError(json: query.arguments.value)) }
        // A server without snippets still returns the mails.
        let list = response.answer(to: "snippets")?.arguments["list"]?.elements ?? []
        func highlighted(_ json: JSON?) -> HighlightedText? {
            json?.stringValue.map { HighlightedText(server: $0) }
        }
        let snippets = Dictionary(
            list.map(\.value).compactMap { json in json["emailId"]?.stringValue.map { ($0, json) } },
            uniquingKeysWith: { first, _ in first }
        )
        return (query.arguments["ids"]?.elements ?? []).compactMap(\.value.stringValue).map { id in
            Snippet(
                id: id,
                subject: highlighted(snippets[id]?["subject"]),
                preview: highlighted(snippets[id]?["preview"])
            )
        }
    }
}

extension HighlightedText {
    /// Reads HTML whose only tag is `<mark>` (RFC 8621, section 5).
    fileprivate init(server html: String) {
        let (begin, end) = (SearchIndex.markBegin, SearchIndex.markEnd)
        let marked = html.filter { $0 != begin && $0 != end }
            .replacing("<mark>", with: String(begin)).replacing("</mark>", with: String(end))
        self.init(
            marked.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&"),
            from: begin,
            to: end
        )
    }
}
