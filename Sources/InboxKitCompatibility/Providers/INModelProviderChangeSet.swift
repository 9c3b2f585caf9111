public import Foundation

/// The type of a change of a provider's item. In Swift, the cases omit the common prefix of the C names.
public enum INModelProviderChangeType: Hashable, Sendable {
    /// The item was added, or moved to this index.
    case add
    /// The item was removed, or moved from this index.
    case remove
    /// The item's content has changed, and its position hasn't.
    case update
}

/// One change of a provider's items.
public struct INModelProviderChange: Sendable {
    /// The type of the change.
    public let type: INModelProviderChangeType
    /// The changed item.
    public let item: INModelObject
    /// The index: in the previous list for removed items, in the new list for added and updated ones.
    public let index: Int
}

/// The changes from a provider's previous items to its new ones, in the order that table and collection views require:
/// delete the removed rows, insert the added ones, and then reload the updated ones.
public struct INModelProviderChangeSet: Sendable {
    /// First the removed, then the added, then the updated items; each by index.
    public let changes: [INModelProviderChange]

    /// Returns the index paths of the changes of a type, in the first section.
    public func indexPaths(for type: INModelProviderChangeType) -> [IndexPath] {
        indexPaths(for: type, assumingSection: 0)
    }

    /// Returns the index paths of the changes of a type, in a section.
    public func indexPaths(for type: INModelProviderChangeType, assumingSection section: Int) -> [IndexPath] {
        changes.filter { $0.type == type }.map { IndexPath(indexes: [section, $0.index]) }
    }

    /// - Parameter changed: The items with changed content. Only those in both lists count.
    init(from old: [INModelObject], to new: [INModelObject], changed: Set<ObjectIdentifier>) {
        let (before, after) = (old.map { ObjectIdentifier($0) }, new.map { ObjectIdentifier($0) })
        let (here, there) = (Set(before), Set(after))
        let staying = after.filter(here.contains)
        // If the order of the remaining items differs, the number of moves is minimal.
        let moves = staying.difference(from: before.filter(there.contains)).insertions.map { change in
            switch change {
            case .insert(_, let element, _), .remove(_, let element, _): element
            }
        }
        let moved = Set(moves)
        func list(
            _ type: INModelProviderChangeType,
            _ items: [INModelObject],
            where isListed: (ObjectIdentifier) -> Bool
        ) -> [INModelProviderChange] {
            items.enumerated().filter { isListed(ObjectIdentifier($0.element)) }
                .map { INModelProviderChange(type: type, item: $0.element, index: $0.offset) }
        }
        changes =
            list(.remove, old) { !there.contains($0) || moved.contains($0) }
            + list(.add, new) { !here.contains($0) || moved.contains($0) }
            + list(.update, new) { changed.contains($0) && here.contains($0) && !moved.contains($0) }
    }
}
