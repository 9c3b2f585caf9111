import Foundation
import Groundwork
import HTTPTypes
import Hummingbird
import InboxService
import NIOCore

extension Request {
    /// Returns the value of a header for which Hummingbird has no name.
    ///
    /// - Parameter name: The name, in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.canonicalName == name }?.value
    }

    /// Returns the value of a header that a request has at most once.
    ///
    /// - Throws: ``Problem`` 400 if there are several: another one than the first may have been meant.
    func singleHeader(_ name: String) throws -> String? {
        let fields = headers.filter { $0.name.canonicalName == name.lowercased() }
        guard fields.count < 2 else {
            throw Problem(.badRequest, "The request has the header \(name) \(fields.count) times. Send it once.")
        }
        return fields.first?.value
    }

    /// The text after `Bearer` in the Authorization header. It shares the header's memory, also in a stream that keeps
    /// it for hours.
    var bearer: Substring? {
        guard let value = headers[.authorization], let space = value.utf8.firstIndex(of: UInt8(ascii: " ")),
            value[..<space].lowercased() == "bearer"
        else { return nil }
        return Substring(value[space...].utf8.trimmingSpaces)
    }

    /// Whether the request's method writes nothing.
    var isRead: Bool { method == .get || method == .head }

    /// Whether the Content-Type is JSON, which is in UTF-8.
    var isJSON: Bool {
        headers[.contentType] == "application/json" || mediaType == "application/json" && isUTF8
    }

    /// Whether the Content-Type is that of a form.
    var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }

    /// The Content-Type without its parameters, in lower case.
    private var mediaType: String? { contentType.first }

    /// The Content-Type and its parameters, in lower case.
    private var contentType: [String] {
        (headers[.contentType] ?? "").utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { String($0.trimmingSpaces)?.lowercased() ?? "" }
    }

    /// Whether the Content-Type names no charset other than UTF-8, the only one of JSON (RFC 8259, section 8.1).
    private var isUTF8: Bool {
        contentType.dropFirst().filter { $0.hasPrefix("charset=") }
            .allSatisfy { ["charset=utf-8", "charset=\"utf-8\"", "charset=utf8"].contains($0) }
    }

    private static let notJSON = Problem(
        .unsupportedMediaType,
        "The Content-Type has to be application/json, in UTF-8."
    )

    /// The media type of a JSON merge patch (RFC 7396, section 4).
    static let mergePatchType = "application/merge-patch+json"

    private static let notMergePatch = Problem(
        .unsupportedMediaType,
        "The Content-Type has to be \(mergePatchType) or application/json, in UTF-8.",
        // RFC 5789, section 3.1.
        headers: HTTPField.Name("Accept-Patch").map { [$0: "\(mergePatchType), application/json"] } ?? [:]
    )

    /// Checks that the body isn't compressed or encoded in another way: it is read as it is.
    ///
    /// - Throws: ``Problem`` 415 with the accepted encoding (RFC 9110, section 12.5.3).
    func checkContentEncoding() throws {
        let encodings = (headers[.contentEncoding] ?? "").split(separator: ",").map { $0.utf8.trimmingSpaces }
        guard encodings.allSatisfy({ $0.isEmpty || String($0)?.lowercased() == "identity" }) else {
            throw Problem(
                .unsupportedMediaType,
                "The Content-Encoding has to be identity, or left out: send the body uncompressed.",
                headers: [.acceptEncoding: "identity"]
            )
        }
    }

    /// Returns the whole body.
    ///
    /// - Throws: ``Problem`` 415 if the body is encoded, 413 if it is larger than the limit, before it is read if its
    ///   length is stated, or 400 if it is incomplete or its framing is invalid.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        try checkContentEncoding()
        let tooLarge = Problem(.contentTooLarge, "The body has more than \(limit) bytes.")
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        var request = self
        do {
            return Array(try await request.collectBody(upTo: limit).readableBytesView)
        } catch let error as any HTTPResponseError where error.status == .contentTooLarge {
            throw tooLarge
        } catch let error as any HTTPResponseError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            // Caused by the client, such as by malformed chunks. The parser's own errors have no type that can be
            // caught here.
            throw Problem(.badRequest, "The body doesn't match the request's headers.")
        }
    }

    /// Returns the body of a REST call as the bytes of JSON, which aren't parsed.
    ///
    /// - Throws: ``Problem`` 415 if the Content-Type isn't JSON or the body is encoded, or 413 if it is larger than the
    ///   limit.
    func jsonBytes(upTo limit: Int) async throws -> [UInt8] {
        guard isJSON else { throw Self.notJSON }
        return try await bytes(upTo: limit)
    }

    /// Returns the body of a REST call, parsed as JSON.
    ///
    /// - Throws: ``Problem`` 415 if the Content-Type isn't JSON or the body is encoded, or 413 if it is larger than the
    ///   limit; ``JSONSyntaxError``.
    func json(upTo limit: Int) async throws -> JSONReader {
        JSONReader(try JSON(parsing: try await jsonBytes(upTo: limit)))
    }

    /// Returns the body of a REST call that needs none, parsed as JSON; nil without a body.
    ///
    /// - Throws: As ``json(upTo:)``.
    func optionalJSON(upTo limit: Int) async throws -> JSONReader? {
        let bytes = try await bytes(upTo: limit)
        guard !bytes.isEmpty else { return nil }
        guard isJSON else { throw Self.notJSON }
        return JSONReader(try JSON(parsing: bytes))
    }

    /// Requires that a REST call has no body, or an empty object.
    ///
    /// - Throws: ``Problem`` 400.
    func requireNoBody() async throws {
        let hasBody = headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
        guard hasBody else { return }
        // Not read of a client that may have no key.
        let isSmall = headers[.contentLength].flatMap { Int($0) }.map { $0 <= 64 } ?? false
        let bytes = isSmall ? try? await bytes(upTo: 64) : nil
        let text = bytes.map { String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace } }
        guard text == "" || text == "{}" else {
            throw Problem(.badRequest, "This request has no body. Leave the body out.")
        }
    }

    /// Returns the body of a PATCH, parsed as JSON.
    ///
    /// - Throws: ``Problem`` 415 if the Content-Type is neither a merge patch nor JSON or the body is encoded, or 413
    ///   if it is larger than the limit; ``JSONSyntaxError``.
    func mergePatch(upTo limit: Int) async throws -> JSONReader {
        guard isJSON || mediaType == Self.mergePatchType && isUTF8 else { throw Self.notMergePatch }
        return JSONReader(try JSON(parsing: try await bytes(upTo: limit)))
    }

    /// Returns a component of the path, decoded once.
    ///
    /// - Parameter name: The name of a parameter, for the error.
    /// - Throws: ``Problem`` 400 if its escapes are malformed, it isn't UTF-8, or it contains U+0000, which no database
    ///   can look for in all cases.
    static func decoded(_ parameter: String, name: String? = nil) throws -> String {
        let place = name.map { "The parameter \($0)" } ?? "The URL's path"
        guard let text = parameter.removingPercentEncoding else {
            throw Problem(
                .badRequest,
                hasMalformedEscape(parameter)
                    ? "\(place) must not have a malformed percent escape. Write % as %25."
                    : "\(place) must be UTF-8 where it has percent escapes."
            )
        }
        guard !text.utf8.contains(0) else { throw Problem(.badRequest, "\(place) must not contain U+0000.") }
        return text
    }

    /// Whether a `%` isn't followed by two hexadecimal digits.
    private static func hasMalformedEscape(_ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().contains { part in
            let digits = part.prefix(2)
            return digits.count < 2 || !digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        }
    }

    /// Returns a person's id from the path.
    ///
    /// - Throws: ``Problem`` 400 if it can't be a person's id.
    static func person(_ parameter: String) throws -> String {
        let person = try decoded(parameter)
        guard PersonName.isValid(person) else { throw Problem(.badRequest, "The person's id \(PersonName.rule).") }
        return person
    }
}

extension Response {
    /// Creates a JSON response.
    init(
        _ status: HTTPResponse.Status = .ok,
        json bytes: [UInt8],
        cacheControl: String = "no-store"
    ) {
        self.init(status, json: ByteBuffer(bytes: bytes), cacheControl: cacheControl)
    }

    /// Creates a JSON response.
    init(_ status: HTTPResponse.Status = .ok, json: ByteBuffer, cacheControl: String = "no-store") {
        self.init(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: json)
        )
    }
}

extension Response {
    /// Creates a JSON response that holds its share of the person's bytes until it is sent or the connection closes.
    init(json: ByteBuffer, holding share: ByteShare, on channel: any Channel) {
        self.init(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(json, holding: share, on: channel)
        )
    }
}

extension ResponseBody {
    /// Creates a body that holds its share of the person's bytes until it is sent or the connection closes.
    init(_ bytes: ByteBuffer, holding share: ByteShare, on channel: any Channel) {
        // A small body is sent at once, so it isn't counted for longer.
        guard bytes.readableBytes > 65_536 else {
            self.init(byteBuffer: bytes)
            return
        }
        self.init(contentLength: bytes.readableBytes) { writer in
            ConnectionGuard.hold(share, untilSentOn: channel)
            try await writer.write(bytes)
            try await writer.finish(nil)
        }
    }
}

extension Substring.UTF8View {
    /// The text without surrounding spaces and tabs, the optional white space of a header's value (RFC 9110, section
    /// 5.6.3).
    fileprivate var trimmingSpaces: Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        var rest = self.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
