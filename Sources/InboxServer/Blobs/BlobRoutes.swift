import Crypto
import Foundation
import Groundwork
import Hummingbird
import InboxService
import JMAP
import NIOCore

/// The routes of devices' files: the upload and the download of a session (RFC 8620, section 6).
struct BlobRoutes: Sendable {
    private let requestReads: RequestReads
    private let writer: Writer
    private let access: PersonAccess
    private let clock: any WallClock
    private let core: CoreCapability
    private let uploads: ConcurrencyLimit
    private let downloads: ConcurrencyLimit

    /// - Parameter core: The limits of uploads. Concurrent downloads of a person are limited as requests are.
    init(requestReads: RequestReads, writer: Writer, access: PersonAccess, clock: any WallClock, core: CoreCapability) {
        self.requestReads = requestReads
        self.writer = writer
        self.access = access
        self.clock = clock
        self.core = core
        uploads = ConcurrencyLimit("maxConcurrentUpload", core.maxConcurrentUpload)
        downloads = ConcurrencyLimit("maxConcurrentRequests", core.maxConcurrentRequests)
    }

    func add(to routes: Routes) {
        routes.route(
            "/jmap/upload/:account",
            [.post { request, context in try await upload(context.parameters.require("account"), request) }]
        )
        routes.route(
            "/jmap/download/:account/:blob/:name",
            [
                .get { request, context in
                    try await download(
                        context.parameters.require("account"),
                        context.parameters.require("blob"),
                        name: context.parameters.require("name"),
                        request,
                        context.channel
                    )
                }
            ]
        )
    }

    private func upload(_ account: String, _ request: Request) async throws -> Response {
        let person = try await access.person(of: request)
        guard account == person.account else { throw Self.noSuchAccount }
        guard let type = MediaType(request.headers[.contentType] ?? MediaType.octets) else {
            throw Problem(.badRequest, "The Content-Type has to be a media type, such as image/png.")
        }
        try request.checkContentEncoding()
        return try await uploads.run(for: person) {
            let blob = try await blob(of: request)
            do {
                try await writer.write(.of(person)) { transaction in try transaction.store(blob, of: person) }
            } catch is RecordNotFoundError {
                // The person was erased during the upload, and the token with them.
                throw Problem(access.logged(.erased))
            }
            let response: JSON = [
                "accountId": .string(person.account), "blobId": .string(blob.id.text),
                "type": .string(type.normalized), "size": JSON(blob.content.count),
            ]
            return Response(.created, json: response.utf8)
        }
    }

    /// Reads the body as it arrives, up to the limit.
    private func blob(of request: Request) async throws -> Blob {
        let limit = core.maxSizeUpload
        let detail = "A file may have at most \(limit) bytes."
        let tooLarge = Problem(RequestError.limit("maxSizeUpload", detail: detail), status: .contentTooLarge)
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        var hash = SHA256()
        var content = Data()
        for try await part in request.body {
            guard content.count + part.readableBytes <= limit else { throw tooLarge }
            hash.update(data: part.readableBytesView)
            content.append(contentsOf: part.readableBytesView)
        }
        return Blob(id: BlobID(hash: Data(hash.finalize())), content: content)
    }

    private func download(
        _ account: String,
        _ blob: String,
        name: String,
        _ request: Request,
        _ channel: any Channel
    ) async throws -> Response {
        let person = try await access.person(of: request)
        guard account == person.account else { throw Self.noSuchAccount }
        let name = try Request.decoded(name)
        guard let type = MediaType(request.uri.queryParameters.get("type") ?? MediaType.octets) else {
            throw Problem(.badRequest, "type has to be a media type, such as image/png.")
        }
        var headers = Self.safeHeaders
        headers[.contentType] = type.text
        headers[.contentDisposition] = ContentDisposition.attachment(named: name)
        return try await downloads.run(for: person) {
            do {
                return try await requestReads.run(for: person, on: channel) { [headers, now = clock.now] reads, share in
                    // Counted before it is in memory.
                    let content = try await reads.read { reading -> Data? in
                        guard let id = BlobID(blob) else { return nil }
                        guard let size = try reading.blobSize(id, of: person, now: now) else { return nil }
                        guard share.add(size) else { throw BudgetError(.share(share.limit)) }
                        return try reading.blob(id, of: person, now: now)
                    }
                    guard let content else {
                        throw Problem(.notFound, "There is no file with that id, or it has expired.")
                    }
                    let body = ResponseBody(ByteBuffer(bytes: content), holding: share, on: channel)
                    return Response(status: .ok, headers: headers, body: body)
                }
            } catch let error as BudgetError {
                throw Problem(error)
            }
        }
    }

    /// Headers that prevent a browser from running a file as a page of this server, whatever its type, and the caching
    /// that RFC 8620, section 6.2 recommends for content that never changes.
    private static let safeHeaders: HTTPFields = [
        .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy: "sandbox; default-src 'none'",
        .cacheControl: "private, immutable, max-age=\(Int(Blob.lifetime))",
    ]

    /// The same for a missing account and another person's: it doesn't reveal which accounts exist.
    private static let noSuchAccount = Problem(.notFound, "There is no such account.")
}
