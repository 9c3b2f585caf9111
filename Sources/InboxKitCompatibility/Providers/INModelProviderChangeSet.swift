public import Foundation

/// What happened to an item of a provider. Of C's names, Swift leaves out what they share.
public enum INModelProviderChangeType: Hashable, Sendable {
    /// It came, or moved here.
    case add
    /// It went, or moved away.
    case remove
    /// It is at its place with other content.
    case update
}

/// One change of a provider's items.
public struct INModelProviderChange: Sendable {
    /// What happened.
    public let type: INModelProviderChangeType
    /// The changed item.
    public let item: INModelObject
    /// Where: in the list before for what went, in the list after for what came or changed.
    public let index: Int
}

/// What makes a provider's items out of those before, in the order that table and collection views want: delete the
/// rows that went, insert those that came, and when that is over reload those that changed.
public struct INModelProviderChangeSet: Sendable {
    /// First what went, then what came, then what changed; each by its index.
    public let changes: [INModelProviderChange]

    /// The places of the changes of a kind, in the first section.
    public func indexPaths(for type: INModelProviderChangeType) -> [IndexPath] {
        indexPaths(for: type, assumingSection: 0)
    }

    /// The places of the changes of a kind, in a section.
    public func indexPaths(for type: INModelProviderChangeType, assumingSection section: Int) -> [IndexPath] {
        changes.filter { $0.type == type }.map { IndexPath(indexes: [section, $0.index]) }
    }

    /// - Parameter changed: Which items have other content; those that are in both lists count.
    init(from old: [INModelObject], to new: [INModelObject], changed: Set<ObjectIdentifier>) {
        let (before, after) = (old.map { ObjectIdentifier($0) }, new.map { ObjectIdentifier($0) })
        let (here, there) = (Set(before), Set(after))
        let staying = after.filter(here.contains)
        // As few as can be move where the order of those that stay is another.
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
