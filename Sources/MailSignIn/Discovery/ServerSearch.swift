import Foundation
import Groundwork

/// The search for the JMAP server of a domain (RFC 8620, section 2.2): the URLs to try, and the results so far.
struct ServerSearch: Sendable {
    /// The URLs of `/.well-known/jmap` that remain.
    var candidates: [URL]
    /// The URL that is tried now.
    var url: URL
    /// The URL with which this candidate began.
    var start: URL
    var redirects = 0
    /// The hosts that the person has confirmed.
    var confirmedHosts: Set<String> = []
    /// The findings other than a server, as sentences.
    var findings: [String] = []
    /// A failure that leaves open whether there is a server.
    var failure: SignInError?
    /// Whether DNS has named the candidates.
    let isFromDNS: Bool

    static let maxRedirects = 5
    /// The maximum number of hosts that are tried.
    static let maxCandidates = 4

    init(_ candidates: [URL], first: URL, isFromDNS: Bool) {
        (self.candidates, url, start, self.isFromDNS) = (candidates, first, first, isFromDNS)
    }

    /// The meaning of an answer of `/.well-known/jmap`.
    enum Finding: Equatable {
        /// A JMAP server. The URL is that of its protected resource metadata, if it names it.
        case server(metadata: String?)
        case redirect(URL)
        case nothing(String)
        case failure(SignInError)
    }

    /// Returns the meaning of an answer of `/.well-known/jmap`.
    ///
    /// - Parameter local: Whether http to this machine is allowed.
    static func finding(in response: TransportResponse, from url: URL, local: Bool) -> Finding {
        let host = url.shownHost
        switch response.status {
        case 401:
            return .server(metadata: ProtectedResource.metadataURL(in: response.headers["www-authenticate"]))
        case 301, 302, 303, 307, 308:
            guard let target = response.headers["location"].flatMap({ URL(string: $0, relativeTo: url) })?.absoluteURL,
                target.isSafe(local: local)
            else { return .nothing("\(host) redirects to an address without https.") }
            return .redirect(target)
        case 200:
            let session = try? JSON(parsing: response.body, depthLimit: 32)
            guard session?["capabilities"]?["urn:ietf:params:jmap:core"] != nil, session?["apiUrl"]?.stringValue != nil
            else { return .nothing("\(host) answers, but not with a JMAP session.") }
            return .server(metadata: nil)
        case 429, 500...:
            return .failure(SignInError(.serverError, "\(host) answered with status \(response.status)."))
        default:
            return .nothing("\(host) answered with status \(response.status).")
        }
    }
}

/// The JMAP server that was found.
struct DiscoveredServer: Hashable, Sendable {
    /// The URL for `Mail.open`: of the server's host, or of its session if that is elsewhere than where the search
    /// began.
    let server: URL
    /// The URL of the session, the protected resource.
    let session: URL
    /// The URL of the metadata that the server names in its answer.
    var metadata: String?

    /// Whether http to this machine is allowed: only if the mail server is on this machine.
    var isLocal: Bool { session.isLocal }
}
