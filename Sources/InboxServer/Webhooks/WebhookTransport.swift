import AsyncHTTPClient
import Foundation
import Groundwork
import InboxService
import NIOCore
import NIOHTTP1
import NIOSSL

/// Posts webhooks, only to addresses that have been checked.
///
/// A webhook's URL comes from the holder of an API key, and its name resolves to whatever its owner's name server
/// returns at the moment. So the name is resolved here, each address is checked, and the connection goes to the very
/// address that was checked (`dnsOverride`), while the name stays in `Host`, in SNI and in the verification of the
/// certificate. Redirects aren't followed, and no proxy of the environment is used.
final class WebhookTransport: Sendable {
    /// An address of the receiver isn't public, and private addresses aren't allowed.
    struct AddressNotAllowedError: Error {}

    /// A host and the address at which it is reached.
    private struct Target: Hashable, Sendable {
        let host: String
        let address: String
    }

    private struct Client: Sendable {
        let http: HTTPClient
        /// The number of requests in flight.
        var users = 0
        /// The number of the latest use, which grows with each use of any client.
        var lastUse = 0
    }

    private struct State: Sendable {
        var clients: [Target: Client] = [:]
        var uses = 0
    }

    private let allowsPrivate: Bool
    private let resolve: @Sendable (_ host: String) async throws -> [IPAddress]
    private let tls: TLSConfiguration
    // One client per target, since `dnsOverride` applies to a whole client. Accessed only in `withLock`, by each
    // delivery.
    private let state = Locked(State())

    /// The number of clients above which idle ones are shut down.
    private static let maxClients = 64
    /// The connect timeout, in seconds. The whole attempt is limited by ``WebhookSender/timeout``.
    private static let connectTimeout: Int64 = 10

    /// - Parameters:
    ///   - allowsPrivate: Whether addresses that aren't public are allowed.
    ///   - resolve: Returns the addresses of a host.
    ///   - authorities: A PEM file with the certificate authorities of the receivers. Nil for the system's.
    init(
        allowsPrivate: Bool,
        resolve: @escaping @Sendable (_ host: String) async throws -> [IPAddress] = IPAddress.resolve,
        authorities: URL? = nil
    ) {
        self.allowsPrivate = allowsPrivate
        self.resolve = resolve
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let authorities { tls.trustRoots = .file(authorities.path) }
        self.tls = tls
    }

    /// Sends a request and reads the response up to a size. The rest is discarded.
    ///
    /// - Returns: The status, and the headers by lower-case name.
    /// - Throws: ``AddressNotAllowedError``, ``TransportError/unreachable(_:)`` or `CancellationError`.
    func post(_ request: TransportRequest, readingUpTo maxResponseSize: Int) async throws -> (Int, [String: String]) {
        guard let host = Self.host(of: request.url) else { throw AddressNotAllowedError() }
        let addresses = try await resolve(host)
        guard allowsPrivate || addresses.allSatisfy(\.isPublic) else { throw AddressNotAllowedError() }
        guard let address = addresses.first else { throw TransportError.unreachable("the name has no address") }
        let target = Target(host: host, address: address.text)
        let http = begin(target)
        do {
            let response = try await Self.send(request, through: http, readingUpTo: maxResponseSize)
            await end(target)
            return response
        } catch {
            await end(target)
            try Task.checkCancellation()
            throw TransportError.unreachable("\(type(of: error))")
        }
    }

    private static func send(
        _ request: TransportRequest,
        through http: HTTPClient,
        readingUpTo maxResponseSize: Int
    ) async throws -> (Int, [String: String]) {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        if let body = request.body { message.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await http.execute(message, deadline: .distantFuture)
        var size = 0
        for try await piece in response.body {
            size += piece.readableBytes
            guard size <= maxResponseSize else { break }
        }
        let headers = response.headers.map { ($0.name.lowercased(), $0.value) }
        return (Int(response.status.code), Dictionary(headers) { first, _ in first })
    }

    /// Returns the host: a name of characters that every URL parser reads alike, or an address without brackets.
    /// Returns nil for any other host.
    private static func host(of url: URL) -> String? {
        guard var host = url.host(percentEncoded: false), !host.isEmpty else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if IPAddress(host) != nil { return host }
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        return isPlain ? host : nil
    }

    // MARK: - Clients

    private func begin(_ target: Target) -> HTTPClient {
        state.withLock { state in
            var client = state.clients[target] ?? Client(http: makeClient(for: target))
            state.uses += 1
            client.users += 1
            client.lastUse = state.uses
            state.clients[target] = client
            return client.http
        }
    }

    private func end(_ target: Target) async {
        let idle = state.withLock { state -> [HTTPClient] in
            state.clients[target]?.users -= 1
            guard state.clients.count > Self.maxClients else { return [] }
            let oldest = state.clients.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
            guard let oldest else { return [] }
            state.clients[oldest.key] = nil
            return [oldest.value.http]
        }
        for http in idle { try? await http.shutdown() }
    }

    private func makeClient(for target: Target) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .seconds(Self.connectTimeout)),
            decompression: .disabled
        )
        // An address needs no override.
        if IPAddress(target.host) == nil { configuration.dnsOverride = [target.host: target.address] }
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// The number of clients, in use or idle.
    var clientCount: Int { state.withLock { $0.clients.count } }

    /// Closes all connections. Nothing may be sent afterwards.
    func shutDown() async {
        let clients = state.withLock { state in
            defer { state.clients = [:] }
            return state.clients.values.map(\.http)
        }
        for http in clients { try? await http.shutdown() }
    }
}
