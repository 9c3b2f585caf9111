import Foundation
import Groundwork

/// From an address to its mail server.
extension SignInMachine {
    /// Begins the search for a JMAP server at the hosts of the domain's records.
    ///
    /// - Parameter records: The records of `_jmap._tcp`; nil if no DNS server has answered. The domain's own host is
    ///   tried then, as it is where there are none (RFC 8620, section 2.2).
    mutating func search(among records: [ServiceRecord]?) -> Effect {
        let hosts = (records ?? []).sorted().filter { !$0.host.isEmpty }.prefix(ServerSearch.maxCandidates)
        if hosts.isEmpty, let records, !records.isEmpty {
            return lookUpIMAP(["The domain says that it has no JMAP server."])
        }
        var urls = hosts.compactMap { record -> URL? in
            guard MailDomain.isHostName(record.host), (1...65_535).contains(record.port) else { return nil }
            let port = record.port == 443 ? "" : ":\(record.port)"
            return URL(string: "https://\(record.host.lowercased())\(port)/.well-known/jmap")
        }
        if hosts.isEmpty { urls = [URL(string: "https://\(domain.name)/.well-known/jmap")].compactMap { $0 } }
        guard let first = urls.first else { return lookUpIMAP(["The domain's SRV records can't be read."]) }
        var search = ServerSearch(Array(urls.dropFirst()), first: first, isFromDNS: !hosts.isEmpty)
        if records == nil { search.failure = .noDNS }
        return proceed(search)
    }

    /// Requests the URL of a search. The person is asked first about a host outside the address's domain: DNS and
    /// redirects aren't proof that it has the person's mail.
    mutating func proceed(_ search: ServerSearch) -> Effect {
        let host = search.url.host()?.lowercased() ?? ""
        guard domain.contains(host) || search.confirmedHosts.contains(host) else {
            state = .confirming(search.url, search)
            return .confirm(host: host)
        }
        state = .findingServer(search)
        return .send(TransportRequest(url: search.url, headers: ["Accept": "application/json"]))
    }

    mutating func confirm(_ url: URL, _ search: ServerSearch) -> Effect {
        var search = search
        search.confirmedHosts.insert(url.host()?.lowercased() ?? "")
        return proceed(search)
    }

    mutating func found(_ response: TransportResponse, _ search: ServerSearch) -> Effect {
        var search = search
        let isLocal = search.start.isLocal
        // A transport may have followed a redirect itself, within the origin.
        let url = response.url.hasSameOrigin(as: search.url) ? response.url : search.url
        switch ServerSearch.finding(in: response, from: url, local: isLocal) {
        case .server(let metadata):
            let server =
                url.hasSameOrigin(as: search.start) && !hasSessionPath
                ? url.originText.flatMap { URL(string: $0) } ?? url : url
            return findResource(of: DiscoveredServer(server: server, session: url, metadata: metadata))
        case .redirect(let target):
            guard search.redirects < ServerSearch.maxRedirects else {
                search.findings.append("\(url.shownHost) redirects without an end.")
                return tryNext(search)
            }
            (search.url, search.redirects) = (target, search.redirects + 1)
            return proceed(search)
        case .nothing(let text):
            search.findings.append(text)
            // DNS isn't needed to know that there is no JMAP.
            if search.failure == .noDNS { search.failure = nil }
            return tryNext(search)
        case .failure(let error):
            search.failure = error
            return tryNext(search)
        }
    }

    /// Whether the person has named the session's own URL.
    private var hasSessionPath: Bool { input.server.map { !["", "/"].contains($0.path()) } ?? false }

    mutating func failed(_ error: TransportError, _ search: ServerSearch) -> Effect {
        var search = search
        let failure = SignInError.unreachable(search.url.shownHost, error)
        // A domain needs no host of its own, so it is no failure if there is none.
        if search.isFromDNS || failure.code != .notConnected { search.failure = failure }
        search.findings.append("\(search.url.shownHost) can't be reached.")
        return tryNext(search)
    }

    private mutating func tryNext(_ search: ServerSearch) -> Effect {
        var search = search
        if search.candidates.isEmpty {
            if let failure = search.failure { return fail(failure) }
            return lookUpIMAP(search.findings)
        }
        search.url = search.candidates.removeFirst()
        (search.start, search.redirects) = (search.url, 0)
        return proceed(search)
    }

    /// Looks for a mail server with IMAP (RFC 6186, section 3.2), which the error can then name.
    private mutating func lookUpIMAP(_ findings: [String]) -> Effect {
        // The person has named the server: other servers of the domain are irrelevant.
        guard input.server == nil else { return fail(noJMAP(findings)) }
        state = .lookingUpIMAP(rest: ["_imap._tcp"], findings: findings)
        return .lookUp(service: "_imaps._tcp")
    }

    mutating func foundIMAP(_ records: [ServiceRecord], _ rest: [String], _ findings: [String]) -> Effect {
        let host = records.sorted().first { !$0.host.isEmpty && MailDomain.isHostName($0.host) }?.host
        if let host {
            return fail(SignInError(.onlyIMAP, "\(domain.name) has mail with IMAP only, at \(host), without JMAP."))
        }
        guard let next = rest.first else { return fail(noJMAP(findings)) }
        state = .lookingUpIMAP(rest: Array(rest.dropFirst()), findings: findings)
        return .lookUp(service: next)
    }

    func noJMAP(_ findings: [String]) -> SignInError {
        let name = input.server?.shownHost ?? domain.name
        return SignInError(.noJMAP, (["\(name) has no mail server with JMAP."] + findings).joined(separator: " "))
    }
}
