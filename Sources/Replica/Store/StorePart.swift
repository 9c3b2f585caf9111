/// The types in a store that one engine syncs, with one server. There may be two: those that the store was opened with,
/// and those that were added.
package enum StorePart: String, CaseIterable, Hashable, Sendable {
    case first, second
}
