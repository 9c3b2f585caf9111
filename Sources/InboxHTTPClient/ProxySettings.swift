import AsyncHTTPClient
import Foundation
import Groundwork
import NIOCore
import NIOHTTPCompression

/// The proxies of an environment, by curl's variables: `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, in
/// lowercase, or in capitals except `HTTP_PROXY`, which a CGI request could set.
struct ProxySettings: Sendable {
    /// A proxy: `host:port`, or a URL with these.
    struct Proxy: Hashable, Sendable {
        let host: String
        let port: Int

        init?(_ text: String) {
            let text = text.contains("://") ? text : "http://\(text)"
            guard let url = URL(string: text), let host = url.host(), !host.isEmpty else { return nil }
            (self.host, port) = (host, url.port ?? 1_080)
        }
    }

    private let byScheme: [String: Proxy]
    /// The hosts that are reached without a proxy: they end in one of these.
    private let excluded: [String]

    init(_ environment: [String: String]) {
        func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        let all = value("all_proxy", "ALL_PROXY")
        byScheme = [
            "https": value("https_proxy", "HTTPS_PROXY") ?? all, "http": value("http_proxy") ?? all,
        ].compactMapValues { $0.flatMap(Proxy.init) }
        excluded = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }
            .map { $0.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: ".")) }
    }

    /// The proxy by which a URL is reached; nil for none.
    func proxy(for url: URL) -> Proxy? {
        guard let proxy = byScheme[url.scheme?.lowercased() ?? ""], let host = url.host()?.lowercased() else {
            return nil
        }
        let isExcluded = excluded.contains { $0 == "*" || $0 == host || host.hasSuffix(".\($0)") }
        return isExcluded ? nil : proxy
    }

    /// The client for a URL. A process has one for each proxy, which lives as long as the process.
    func client(for url: URL) -> HTTPClient {
        let proxy = proxy(for: url)
        return Self.clients.withLock { clients in
            if let client = clients[proxy] { return client }
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                decompression: .enabled(limit: .none)
            )
            configuration.timeout.connect = .seconds(30)
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
            // The next sync tries again; a person at a terminal doesn't wait.
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.proxy = proxy.map { .server(host: $0.host, port: $0.port) }
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            clients[proxy] = client
            return client
        }
    }

    // Guarded by the lock, which any request takes for a moment.
    private static let clients = Locked<[Proxy?: HTTPClient]>([:])
}
