import Groundwork
public import InboxModel
import Replica

/// The settings of a surface, and again whenever they change.
///
/// ```swift
/// for await settings in inbox.observeSettings(surface: "inbox") {
///     switch settings {
///     case .success(let settings?): show(settings)
///     case .success(nil): showWithoutSettings()
///     case .failure(let error): show(error)
///     }
/// }
/// ```
///
/// An error doesn't end the sequence: a fix by the backend arrives like any other change.
public struct SettingsUpdates: AsyncSequence, Sendable {
    /// The settings; nil where the backend has set none, or this device has never synced. As a failure ``InboxError``:
    /// `invalidAnswer` where the server's can't be read, `storage`, `damaged`.
    public typealias Element = Result<InboxSettings?, InboxError>

    private let store: ReplicaStore
    private let changes: Broadcast<Void>
    private let surface: String

    /// - Parameter changes: The changes after which to read again, and the end.
    init(_ store: ReplicaStore, _ changes: Broadcast<Void>, surface: String) {
        (self.store, self.changes) = (store, changes)
        self.surface = surface
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store, changes, surface)
    }

    /// One who listens.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: ReplicaStore
        private let surface: String
        private var signals: AsyncStream<Void>.Iterator
        private var last: Element?

        fileprivate init(_ store: ReplicaStore, _ changes: Broadcast<Void>, _ surface: String) {
            self.store = store
            self.surface = surface
            // Listened to before the first read, so that nothing comes between.
            signals = changes.stream(startingWith: ()).makeAsyncIterator()
        }

        /// The next that differs from the last; nil when the task was cancelled or the inbox closed.
        @concurrent
        public mutating func next() async -> Element? {
            while await signals.next() != nil {
                let element: Element
                do {
                    element = try await store.read { [surface] db in try db.settings(of: surface) }
                } catch StoreError.closed {
                    return nil
                } catch is CancellationError {
                    return nil
                } catch {
                    element = .failure(
                        InboxError.wrapping(error) as? InboxError ?? InboxError(.storage, String(describing: error))
                    )
                }
                guard element != last else { continue }
                last = element
                return element
            }
            return nil
        }
    }
}
