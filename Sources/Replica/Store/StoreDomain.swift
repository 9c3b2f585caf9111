/// The types of a store that one engine syncs with one server. A store may have several domains; one process at a time
/// syncs a domain.
package struct StoreDomain: Hashable, Sendable {
    /// The name under which the store keeps the domain's sync requests. It names the lock file too.
    package let name: String

    /// - Parameter name: Lower-case letters. Stored: it never changes.
    package init(_ name: String) { self.name = name }

    /// The domain of the types that a store was opened with.
    package static let primary = StoreDomain("first")
}
