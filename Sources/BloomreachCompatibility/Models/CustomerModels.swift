import Foundation
import InboxClient
import InboxViews
import Observation

/// The models of the current customer's inbox on a screen: made again when another customer is identified or the
/// inbox is emptied. From that call on, nothing of the previous inbox is returned.
@MainActor
@Observable
final class CustomerModels<Models> {
    enum State {
        /// The inbox is being opened.
        case opening
        /// The models of the inbox.
        case open(Inbox, Models)
        /// There is no inbox, for this reason.
        case failed(any Error)
    }

    private var held: (customer: UUID, state: State)
    @ObservationIgnored private let client: Exponea
    @ObservationIgnored private let make: @MainActor (Inbox) async throws -> Models
    @ObservationIgnored private let following = OwnedTask()
    @ObservationIgnored private let opening = OwnedTask()

    init(_ client: Exponea, make: @escaping @MainActor (Inbox) async throws -> Models) {
        (self.client, self.make) = (client, make)
        held = (client.customer.value, .opening)
        let customers = client.customer.values()
        following.start { [weak self] in
            for await _ in customers {
                guard let self else { return }
                restart()
            }
        }
    }

    var state: State {
        let held = held
        return held.customer == client.customer.value ? held.state : .opening
    }

    var models: Models? {
        if case .open(_, let models) = state { models } else { nil }
    }

    /// Opens the inbox again, such as after a failure, and makes the models again.
    func restart() {
        let customer = client.customer.value
        held = (customer, .opening)
        opening.start { [weak self, client, make] in
            let opened: State
            do {
                let inbox = try await client.currentInbox()
                guard !Task.isCancelled, self?.held.customer == customer else { return }
                opened = .open(inbox, try await make(inbox))
            } catch {
                opened = .failed(error)
            }
            guard !Task.isCancelled, let self, held.customer == customer else { return }
            held.state = opened
            opening.end()
        }
    }

    /// Waits until the inbox was opened or couldn't be.
    func opened() async { await opening.task?.value }
}
