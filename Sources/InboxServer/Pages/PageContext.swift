import Hummingbird
import InboxHTML
import Logging
import NIOCore

/// A request for a page or a form, with the frame of its response.
struct PageContext: Sendable {
    let request: Request
    let frame: PageFrame
    private let base: InboxRequestContext

    /// The maximum size of a form, in bytes.
    static let maxFormSize = 16_384

    init(_ request: Request, _ base: InboxRequestContext, frame: PageFrame) {
        (self.request, self.base, self.frame) = (request, base, frame)
    }

    var channel: any Channel { base.channel }
    var logger: Logger { base.logger }

    /// The message's id in the path.
    ///
    /// - Throws: `HTTPError` 400 if the route's path has none.
    var messageID: String {
        get throws { try base.parameters.require("id") }
    }

    /// Returns the parameters of the query: those of a list's view, and others that the page has.
    func query(and names: Set<String> = []) throws -> QueryParameters {
        try QueryParameters(request, allowed: ListView.names.union(names), ignoringUnknown: true)
    }

    /// Returns the list's view that the query names.
    ///
    /// - Throws: ``Problem`` 400 for an invalid one.
    func view() throws -> ListView { try ListView(query()) }

    /// Returns the fields of a form.
    ///
    /// - Parameter listed: The name of the field that may occur several times.
    /// - Throws: ``Problem`` 400, 413 for a form that is too large, 415 for anything else.
    func form(allowed names: Set<String>, listed: String? = nil) async throws -> QueryParameters {
        guard request.isForm else { throw Problem(.unsupportedMediaType, "The body has to be a form.") }
        let bytes = try await request.bytes(upTo: Self.maxFormSize)
        return try QueryParameters(
            form: String(decoding: bytes, as: UTF8.self),
            allowed: names,
            listed: listed,
            ignoringUnknown: true
        )
    }

    /// Returns a redirect to a list, with a notice about the last action.
    func redirect(to view: ListView, notice: ListNotice.Outcome) -> Response {
        PageResponse.redirect(to: frame.addresses.list(view, notice: notice))
    }
}
