import Crypto
package import Foundation
import Groundwork

/// Links that sign a person in on the page `/inbox`. Each works once, within ten minutes, on the server's own machine.
///
/// Only the process creates them, for its demonstration. They exist only in memory, each under the SHA-256 of its code.
final class SignInLinks: Sendable {
    private struct Link: Sendable {
        let person: String
        let createdAt: Date
    }

    private let links = Locked<[Data: Link]>([:])
    private let clock: any WallClock
    private let random: RandomSource

    /// The lifetime of a link, in seconds.
    static let lifetime = 600.0

    /// - Returns: Nil if other machines can reach the server, directly or through a proxy.
    init?(_ configuration: InboxServerConfiguration) {
        guard Loopback.contains(host: configuration.host), configuration.publicURL == nil,
            configuration.trustedProxies.isEmpty
        else { return nil }
        clock = configuration.clock
        random = configuration.random
    }

    /// Creates the code of a new link for a person.
    func makeCode(for person: String) -> String {
        let (code, now) = (random.token(length: 32), clock.now)
        links.withLock { links in
            links = links.filter { Self.isValid($0.value, at: now) }
            links[Self.hash(code)] = Link(person: person, createdAt: now)
        }
        return code
    }

    /// Redeems a code. Of several requests with the same code, only one succeeds.
    ///
    /// - Returns: The person and the creation time of the link, or nil if the code was used, has expired or never
    ///   existed.
    func redeem(_ code: String) -> (person: String, createdAt: Date)? {
        let now = clock.now
        return links.withLock { $0.removeValue(forKey: Self.hash(code)) }
            .flatMap { Self.isValid($0, at: now) ? ($0.person, $0.createdAt) : nil }
    }

    private static func isValid(_ link: Link, at now: Date) -> Bool {
        now < link.createdAt.addingTimeInterval(lifetime)
    }

    private static func hash(_ code: String) -> Data { Data(SHA256.hash(data: Array(code.utf8))) }
}

extension ReadyInformation {
    /// Creates a link that opens a person's inbox in a browser on this machine, signed in. It works once, within ten
    /// minutes.
    ///
    /// - Returns: Nil if other machines can reach the server.
    package func makeSignInLink(for person: String) -> URL? {
        signInLinks.map { url.appending(path: SignInLinkRoutes.path + $0.makeCode(for: person)) }
    }
}
