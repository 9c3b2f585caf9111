public import Foundation

/// What a server tells once it answers requests.
public struct ReadyInformation: Sendable {
    /// Where it is reached on this machine, with the port that it got.
    public let url: URL
    /// The API key that was made because the database had none; nil otherwise. Show it now: only its hash is kept.
    public let newAdminKey: String?
    /// Nil for a server that other machines reach.
    let signInLinks: SignInLinks?
}
