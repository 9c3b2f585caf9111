import Groundwork
public import InboxModel
import Replica

/// A sequence of the settings of a surface: the stored ones, then each change.
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
    /// The settings, or nil if the backend has set none or this device has never synced. A failure is an
    /// ``InboxError``: `invalidAnswer` if the server's settings can't be read, `storage`, `damaged`.
    public typealias Element = Result<InboxSettings?, InboxError>

    private let store: ReplicaStore
    private let changes: Broadcast<Void>
    private let surface: String

    /// - Parameter changes: Sends an element for each change after which to read again. Its end ends the sequence.
    init(_ store: ReplicaStore, _ changes: Broadcast<Void>, surface: String) {
        (self.store, self.changes) = (store, changes)
        self.surface = surface
    }

    /// Starts to observe.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store, changes, surface)
    }

    /// An iterator over the settings.
    public struct Iterator: AsyncIteratorProtocol {
        private let store: ReplicaStore
        private let surface: String
        private var signals: AsyncStream<Void>.Iterator
        private var last: Element?

        fileprivate init(_ store: ReplicaStore, _ changes: Broadcast<Void>, _ surface: String) {
            self.store = store
            self.surface = surface
            // Subscribed before the first read, so that no change is missed in between.
            signals = changes.stream(startingWith: ()).makeAsyncIterator()
        }

        /// Returns the next element that differs from the last one, or nil if the task was cancelled or the inbox
        /// closed.
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

extension Inbox {
    /// Returns the display settings of a surface as the backend last set them and this device knows them. It needs no
    /// network. ``sync()`` fetches changes.
    ///
    /// - Returns: Nil if the backend has set none, or if this device has never synced.
    /// - Throws: ``InboxError``: `invalidAnswer` if the server's settings can't be read, `storage`, `closed`.
    @concurrent
    public func settings(surface: String) async throws -> InboxSettings? {
        try await read { db in try db.settings(of: surface) }.get()
    }

    /// Returns a sequence of the display settings of a surface: the stored settings at once, then each change by this
    /// process or another one.
    ///
    /// A slow observer receives the newest settings only. The sequence ends when the iterating task is cancelled, the
    /// inbox is closed, or the person signs out.
    public func observeSettings(surface: String) -> SettingsUpdates {
        SettingsUpdates(store, changes, surface: surface)
    }
}
