import Foundation
import Groundwork

/// The metadata of a protected resource (RFC 9728), which lead from a mail server to its authorization server.
enum ProtectedResource {
    /// A URL of metadata, with the resources that they may describe.
    struct Source: Hashable, Sendable {
        let url: URL
        let resources: Set<String>
    }

    static let wellKnownName = "oauth-protected-resource"

    /// Returns the places where the metadata of a server may be, in the order in which they are tried: where the server
    /// says, else at the well-known names for its session and for its host.
    static func sources(for server: DiscoveredServer) -> [Source] {
        let session = server.session.absoluteString
        let origin = server.session.originText ?? session
        let ofHost = URL(string: origin)?.inserting(wellKnown: wellKnownName)
            .map { Source(url: $0, resources: [origin, "\(origin)/"]) }
        if let text = server.metadata {
            guard let url = URL(string: text), url.isSafe(local: server.isLocal) else { return [] }
            // The resource is the URL that was requested (section 3.3), or the one that the metadata's own URL implies.
            let resources = url == ofHost?.url ? ofHost?.resources ?? [] : []
            return [Source(url: url, resources: resources.union([session]))]
        }
        let ofSession = server.session.inserting(wellKnown: wellKnownName).map { Source(url: $0, resources: [session]) }
        return [ofSession, ofHost].compactMap { $0 }.reduce(into: []) { sources, source in
            if !sources.contains(where: { $0.url == source.url }) { sources.append(source) }
        }
    }

    /// Returns the first usable issuer of an authorization server; nil if the metadata has none.
    ///
    /// - Throws: ``SignInError`` with the code `wrongIssuer` if the metadata describes another resource (RFC 9728,
    ///   section 3.3), `invalidAnswer` if it isn't JSON.
    static func issuer(in body: [UInt8], from source: Source, local: Bool) throws(SignInError) -> String? {
        guard let json = try? JSON(parsing: body, depthLimit: 32), json.objectValue != nil else {
            throw SignInError(.invalidAnswer, "The metadata of \(source.url.shownHost) can't be read.")
        }
        guard let resource = json["resource"]?.stringValue, source.resources.contains(resource) else {
            throw SignInError(.wrongIssuer, "The metadata of \(source.url.shownHost) describes another server.")
        }
        return json["authorization_servers"]?.arrayValue?.lazy.compactMap(\.stringValue)
            .first { AuthorizationServer.isIssuer($0, local: local) }
    }

    /// Returns the URL of the metadata in a `WWW-Authenticate` header field (RFC 9728, section 5.1).
    static func metadataURL(in header: String?) -> String? {
        guard let header, header.utf8.count <= 8_192,
            let match = header.firstMatch(of: #/(?i)(?:^|[\s,])resource_metadata\s*=\s*(?:"([^"]*)"|([^\s,"]+))/#)
        else { return nil }
        return (match.output.1 ?? match.output.2).map(String.init)
    }
}
