/// The types of a store that one engine syncs with one server. A store may have several domains; one process at a time
/// syncs a domain.
package struct StoreDomain: Hashable, Sendable {
    /// The name under which the store keeps the domain's sync requests. It names the lock file too.
    package let name: String
    /// The name in logs.
    package let label: String

    /// - Parameters:
    ///   - name: Lower-case letters. Stored: it never changes.
    ///   - label: The name in logs.
    package init(_ name: String, label: String) { (self.name, self.label) = (name, label) }

    /// The domain of the types that a store was opened with.
    package static let primary = StoreDomain("first", label: "primary")
}
