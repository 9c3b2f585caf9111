/// What an API key may be used for.
package enum Scope: String, CaseIterable, Sendable {
    /// Send, read, edit and recall messages, and read their figures.
    case messages
    /// Read, change, list, export and erase people.
    case people
    /// Make tokens for people's devices, and end them.
    case tokens
    /// Read and change the settings of surfaces.
    case surfaces
    /// Read and change webhooks, and what they couldn't deliver.
    case webhooks
    /// Read the server's own figures, without a person in them.
    case metrics
    /// Make, list and revoke API keys, and rotate the key that signs people's tokens.
    case keys
    /// Read the audit log.
    case audit
}
