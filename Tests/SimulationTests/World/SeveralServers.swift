#if PostgreSQL
    import Foundation
    import Groundwork
    import JMAP

    @testable import InboxServer
    @testable import InboxService

    /// What the servers of a world share beside their file. Their choices are apart from the world's: a world with one
    /// server has the same events as before there were several.
    final class SeveralServers {
        let rows = SharedRows()
        var dice: Dice
        /// What each server has beside its routes, by its place. Nil for one that isn't there at the moment.
        var parts: [Parts?] = []
        /// The server that the next request reaches, whatever else happens. Nil for any.
        var next: Int?
        /// What answers the next request instead of a server.
        var late: SimulatedServer?
        /// The numbers of commits of which their servers don't know whether they have taken place. They haven't yet.
        var lateNumbers: [NodeNumber] = []
        /// The tokens of another person, and whether all of them were ended since.
        var tokens: [(text: String, isEnded: Bool)] = []

        /// The places of the servers that answer.
        var running: [Int] { parts.indices.filter { parts[$0]?.pause == 0 } }

        init(seed: UInt64) {
            dice = Dice(seed ^ 0x5E_4E_52_41_4C)
        }

        struct Parts {
            let node: SimulatedNode
            let others: OtherServers
            /// Nil until it is opened.
            var stream: SimulatedStream?
            /// The number of rounds for which the process stands still.
            var pause = 0
            var isListening = true
            /// Whether it has heard that its connection was lost, and not yet that it listens again.
            var isCut = false
            /// Whether it was alone at its latest request.
            var wasAlone = false
        }
    }

    /// An open event stream: it announces the latest state each time it is woken.
    struct SimulatedStream {
        let person: Person
        private(set) var announced: PersonState
        private var number: Int
        private var wakeUp = WakeUp()

        init(of name: String, on server: SimulatedServer) async throws {
            let token = try await server.tokens.verify(try await server.token(for: name))
            person = try await server.people.person(of: token)
            number = server.watchers.add(wakeUp, for: person.id)
            announced = try await server.people.latestState(of: person)
        }

        /// Announces the latest state if the stream was woken.
        mutating func run(on server: SimulatedServer) async throws {
            _ = server.watchers.wakePending()
            // What wakes it from now on wakes it the next time.
            let (woken, former) = (wakeUp, number)
            wakeUp = WakeUp()
            number = server.watchers.add(wakeUp, for: person.id)
            server.watchers.remove(former, of: person.id)
            woken.end()
            var isWoken = false
            for await _ in woken.signals { isWoken = true }
            guard isWoken else { return }
            if let state = server.people.knownState(of: person) {
                announced = state
            } else {
                announced = try await server.people.latestState(of: person)
            }
        }
    }
#endif
