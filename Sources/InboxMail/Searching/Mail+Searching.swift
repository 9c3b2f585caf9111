import Foundation
import Groundwork
import JMAP
import Replica

extension Mail {
    /// A mail that was found.
    public struct SearchResult: Hashable, Sendable, Identifiable {
        /// The mail's id.
        public var id: String { message.id }
        /// The mail.
        public let message: MailMessage
        /// Its subject, with what was found marked.
        public let subject: HighlightedText
        /// The part of its text around what was found, marked; its beginning where the words are elsewhere.
        public let snippet: HighlightedText
    }

    /// Searches the mails on this device, at once: subjects, names, addresses, and the texts that are here.
    ///
    /// A mail is found where each word begins one of its own, without regard to case and accents. Newest first.
    ///
    /// - Parameters:
    ///   - text: The words, of which at most 32 are looked at. None finds nothing.
    ///   - limit: At most so many.
    /// - Throws: `MailError`: `invalidArgument` for a negative limit, `storage`, `closed`.
    @concurrent
    public func search(_ text: String, limit: Int = 50) async throws -> [SearchResult] {
        guard limit >= 0 else { throw MailError(.invalidArgument, "limit must not be negative.") }
        guard let expression = SearchIndex.expression(text) else { return [] }
        return try await read { db in try db.search(expression, limit: limit) }
    }

    /// Searches the mails on the server, whole texts and attachments as far as it looks into them. Newest first.
    ///
    /// What it finds that isn't on this device yet is left out; the next sync brings it. Where the device holds slices,
    /// what is found is one of them, and this syncs.
    ///
    /// - Throws: `MailError`: `invalidArgument` for a negative limit, `notConnected` and others where the server can't
    ///   be asked, `closed`.
    @concurrent
    public func searchServer(_ text: String, limit: Int = 50) async throws -> [SearchResult] {
        guard limit >= 0 else { throw MailError(.invalidArgument, "limit must not be negative.") }
        guard SearchIndex.expression(text) != nil, limit > 0 else { return [] }
        let found: [Snippet]
        do {
            try checkOpen()
            if let slices {
                try await slices.keep(.search(text, limit: limit))
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

    /// `Email/query` and, by reference, `SearchSnippet/get` (RFC 8621 §5.1).
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
        // A server without snippets has found the mails all the same.
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
    /// HTML in which nothing but `<mark>` is a tag (RFC 8621 §5).
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
