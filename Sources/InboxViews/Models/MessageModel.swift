public import InboxClient
public import InboxModel
public import Observation
import Foundation
import Replica

/// One message on screen, kept up to date.
@MainActor
@Observable
public final class MessageModel {
    /// The state of the screen.
    public enum State: Hashable, Sendable {
        /// The message isn't on the device and is fetched.
        case loading
        /// The message.
        case loaded(Message)
        /// The message has expired, was deleted or recalled, or never existed.
        case gone
        /// The message isn't on the device and couldn't be fetched, or the store can't be read. A store that can be
        /// read again is shown by itself.
        case failed(InboxError)
    }

    /// The message's id.
    public nonisolated let id: String
    /// The state of the screen.
    public private(set) var state = State.loading
    /// The message, if it is shown.
    public var message: Message? {
        if case .loaded(let message) = state { message } else { nil }
    }

    @ObservationIgnored private let inbox: Inbox
    @ObservationIgnored private let marksRead: Bool
    /// The result of a fetch before, which is shown once if the device doesn't have the message.
    @ObservationIgnored private var fetched: State?
    @ObservationIgnored private var isOpened = false
    @ObservationIgnored private let observation = OwnedTask()
    @ObservationIgnored private let fetching = OwnedTask()

    /// Shows a message. It is fetched if the device doesn't have it.
    ///
    /// - Parameters:
    ///   - id: The message's id.
    ///   - inbox: The inbox.
    ///   - marksRead: Whether the message is opened when it is first shown: it is marked as read, and `opened` is
    ///   tracked, once per model. False to show the message without that, as in a preview.
    public convenience init(_ id: String, in inbox: Inbox, marksRead: Bool = true) {
        self.init(id, in: inbox, marksRead: marksRead, fetched: nil)
    }

    /// Shows a message that was fetched just before.
    ///
    /// - Parameter fetched: The result if the device doesn't have the message: `gone` or `failed`. It is shown without
    ///   another fetch, until ``retry()``. Nil if the message has to be fetched.
    package init(_ id: String, in inbox: Inbox, marksRead: Bool, fetched: State?) {
        self.id = id
        self.inbox = inbox
        self.marksRead = marksRead
        self.fetched = fetched
        observe()
    }

    /// Fetches the message again after a failure.
    public func retry() {
        guard case .failed = state else { return }
        state = .loading
        observe()
    }

    private func observe() {
        let id = id
        let query = Query<Message>(where: #Predicate { $0.id == id }, limit: 1)
        let snapshots = inbox.observe(query, in: .active)
        observation.start { [weak self, clock = inbox.store.clock] in
            var hasFailed = false
            await RepeatedObservation(clock).follow {
                snapshots
            } show: { [weak self] snapshot in
                guard let self else { return false }
                // A message that disappeared meanwhile is loaded as at the beginning.
                if hasFailed { set(.loading) }
                hasFailed = false
                show(snapshot.items.first)
                return true
            } failed: { [weak self] error in
                hasFailed = true
                self?.set(.failed(InboxError(error)))
            } ended: {
                self?.set(.failed(InboxError(.closed, "The inbox was closed.")))
            }
        }
    }

    private func show(_ message: Message?) {
        if let message {
            set(.loaded(message))
            open()
        } else if self.message != nil {
            set(.gone)
        } else if state == .loading, let fetched {
            self.fetched = nil
            set(fetched)
        } else if state == .loading, !fetching.isActive {
            fetch()
        }
    }

    private func fetch() {
        fetching.start { [weak self, inbox, id] in
            let result: State
            do {
                result = try await inbox.fetchMessage(id: id).map(State.loaded) ?? .gone
            } catch {
                result = .failed(InboxError(error))
            }
            guard !Task.isCancelled, let self else { return }
            fetching.end()
            // The observation has shown the message meanwhile, or has failed.
            guard state == .loading else { return }
            set(result)
            if message != nil { open() }
        }
    }

    private func open() {
        guard marksRead, !isOpened else { return }
        isOpened = true
        Task { [inbox, id] in
            // An opening that can't be stored must not hide the message.
            _ = try? await inbox.track(.opened, id)
            _ = try? await inbox.markRead(id)
        }
    }

    private func set(_ state: State) {
        if self.state != state { self.state = state }
    }
}
