import Foundation
import Groundwork
import JMAP

#if PostgreSQL
    import Postgres
#endif

@testable import InboxServer
@testable import InboxService

/// One server or several, and what happens between them.
extension World {
    /// Returns the server that the next request reaches. With several, each of them goes on with its own work before.
    func anyServer() async throws -> SimulatedServer {
        #if PostgreSQL
            if let several {
                if let late = several.late { return late }
                if let next = several.next {
                    several.parts[next]?.node.prepareWriting()
                    return servers[next]
                }
                try await letServersRun(several)
                guard let place = several.dice.pick(several.running) else { throw NoServer() }
                several.parts[place]?.node.prepareWriting()
                let isAlone = several.parts[place]?.node.isAlone ?? false
                if isAlone, several.parts[place]?.wasAlone == false { note("server \(place) is alone") }
                several.parts[place]?.wasAlone = isAlone
                return servers[place]
            }
        #endif
        return servers[0]
    }

    /// Whether a server has its file open.
    func isRunning(_ place: Int) -> Bool {
        #if PostgreSQL
            if let several { return several.parts[place] != nil }
        #endif
        return true
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - place: Its place. Nil for the next one.
    ///   - runsDueWork: Whether it does what is due at once.
    func newServer(at place: Int? = nil, runsDueWork: Bool = true) async throws -> SimulatedServer {
        let file = folder.appendingPathComponent("server.sqlite")
        #if PostgreSQL
            if let several {
                let node = SimulatedNode(several.rows, time)
                node.prepareWriting()
                let server = try await SimulatedServer(
                    file: file,
                    clock: time,
                    random: serverRandom,
                    core: core,
                    node: node,
                    runsDueWork: runsDueWork
                ) { node.committed($0) }
                guard let others = OtherServers(of: server.storage, server.caches, logger: SimulatedServer.logger)
                else {
                    throw NoServer()
                }
                others.begin()
                let parts = SeveralServers.Parts(node: node, others: others)
                if let place { several.parts[place] = parts } else { several.parts.append(parts) }
                return server
            }
        #endif
        return try await SimulatedServer(file: file, clock: time, random: serverRandom, core: core)
    }

    /// Ends the server, or one of several, as by `kill -9`, and starts it again.
    ///
    /// - Returns: Whether it was started, and has done what was due. One of several may stay away, or be the last.
    func restartServer() async throws -> Bool {
        #if PostgreSQL
            if let several {
                let place = several.dice.int(0...servers.count - 1)
                let isStarted = try await restartOne(several, place, runsDueWork: true)
                guard several.parts[place] != nil, several.dice.chance(0.5) else { return isStarted }
                // One that was alone may not know of it yet.
                several.next = place
                await send()
                several.next = nil
                try await checkMemory(several)
                return isStarted
            }
        #endif
        note("the server starts again")
        try await servers[0].close()
        servers[0] = try await newServer(at: 0)
        return true
    }

    /// Ends the failures of servers. Each hears of everything.
    func settleServers() async {
        #if PostgreSQL
            guard let several else { return }
            do {
                try await settle(several)
            } catch {
                recordFailure(of: "the work of a server", error)
            }
        #endif
    }

    /// Checks what each of several servers has in memory after it has heard of everything.
    func checkServers() async throws {
        #if PostgreSQL
            guard let several else { return }
            try await settle(several)
            for (place, server) in servers.enumerated() {
                guard let parts = several.parts[place] else { continue }
                try await checkStream(place, several)
                for _ in 0..<2 { parts.node.reportRows() }
                expect(!parts.others.needsRead, "server \(place) reads everything again, and nothing has changed")
                for (text, isEnded) in several.tokens {
                    let status = try await server.status(ofToken: text)
                    expect(status == (isEnded ? 401 : 200), "server \(place) answers \(status) to a token")
                }
            }
        #endif
    }
}

#if PostgreSQL
    private struct NoServer: Error {}

    extension SimulatedServer {
        var caches: OtherServers.Caches {
            OtherServers.Caches(
                states: states,
                people: people,
                tokens: tokens,
                keys: keys,
                watchers: watchers,
                evictResponses: { [api] account in api.evict(account: account) },
                changed: { _ in },
                onListeningEvent: { _ in }
            )
        }

        fileprivate func status(ofToken text: String) async throws -> Int {
            var request = TransportRequest(url: Self.url.appendingPathComponent(".well-known/jmap"))
            request.headers["Authorization"] = "Bearer \(text)"
            return try await answer(request).status
        }
    }

    extension World {
        /// Ends one of the servers, and perhaps starts it again at once.
        ///
        /// - Parameter runsDueWork: Whether it does then what is due. Not between a device's sync and its check.
        /// - Returns: Whether it was started.
        @discardableResult private func restartOne(
            _ several: SeveralServers,
            _ place: Int,
            runsDueWork: Bool
        ) async throws -> Bool {
            if let parts = several.parts[place] {
                // One at least goes on.
                guard several.running != [place] else { return false }
                let leaving: SimulatedNode.Leaving = several.dice.pick([.stopping: 2, .unheard: 1, .killed: 3])
                try await leave(several, place, parts.node, leaving)
                if several.dice.chance(0.5) { return false }
            }
            note("server \(place) starts")
            servers[place] = try await newServer(at: place, runsDueWork: runsDueWork)
            return true
        }

        func leave(
            _ several: SeveralServers,
            _ place: Int,
            _ node: SimulatedNode,
            _ leaving: SimulatedNode.Leaving
        ) async throws {
            note("server \(place) leaves: \(leaving)")
            node.leave(leaving)
            several.parts[place] = nil
            try await servers[place].close()
        }

        /// Ends servers, so that one is alone.
        func endSome(_ several: SeveralServers) async throws {
            guard several.dice.chance(0.4) else { return }
            for place in servers.indices.dropFirst() {
                guard let node = several.parts[place]?.node else { continue }
                try await leave(several, place, node, several.dice.chance(0.3) ? .killed : .stopping)
            }
            note("server 0 is left")
        }

        private enum ServerEvent {
            case nothing, announcement, hearing, heartbeat, watching, reading, stream
            case unannounced, cut, unknown, unwritten, pause, restart
        }

        /// Lets each server do some of what it does by itself.
        private func letServersRun(_ several: SeveralServers) async throws {
            several.rows.advance(by: .milliseconds(several.dice.pick([0: 5, 5: 5, 100: 5, 300: 4, 4_000: 2])))
            for place in servers.indices {
                guard let parts = several.parts[place] else {
                    if several.dice.chance(0.02) { try await restartOne(several, place, runsDueWork: false) }
                    continue
                }
                guard parts.pause == 0 else {
                    several.parts[place]?.pause -= 1
                    continue
                }
                var event: ServerEvent = several.dice.pick([
                    .nothing: 20, .announcement: 20, .hearing: 24, .heartbeat: 15, .watching: 20, .reading: 20,
                    .stream: 10,
                    .unannounced: 2, .cut: 4, .unknown: 2, .unwritten: 2, .pause: 2, .restart: 2,
                ])
                if parts.node.isSendingHeartbeat, several.dice.chance(0.5) { parts.node.goOn() }
                let faults: [ServerEvent] = [.unannounced, .cut, .unknown, .unwritten, .pause, .restart]
                if isFaultFree, faults.contains(event) { event = .nothing }
                try await run(event, place, parts, several)
            }
            if several.dice.chance(0.1) { try await useTokens(several) }
            if several.running.isEmpty { for place in servers.indices { several.parts[place]?.pause = 0 } }
            try await checkMemory(several)
        }

        private func run(
            _ event: ServerEvent,
            _ place: Int,
            _ parts: SeveralServers.Parts,
            _ several: SeveralServers
        ) async throws {
            let server = servers[place]
            switch event {
            case .nothing: break
            case .announcement: parts.node.announceWaiting()
            case .hearing: for _ in 0..<several.dice.int(1...4) { hear(place, parts, several) }
            case .heartbeat: if parts.node.isSendingHeartbeat { parts.node.goOn() } else { parts.node.beginHeartbeat() }
            case .watching: parts.node.reportRows()
            case .reading: if parts.others.needsRead { await parts.others.readAndRenew() }
            case .stream: try await runStream(place, server, several)
            case .unannounced: parts.node.announceWaiting(several.dice.chance(0.5) ? .failed : .unconfirmed)
            case .cut: cut(place, parts, several)
            case .unknown:
                note("server \(place) won't know of its next commit")
                parts.node.loseConfirmation()
            case .unwritten: loseCommit(place, parts, several)
            case .restart: try await restartOne(several, place, runsDueWork: false)
            case .pause:
                let rounds = several.dice.int(1...12)
                let isLong = several.dice.chance(0.4)
                note("server \(place) stands still\(isLong ? " for long" : "")")
                several.parts[place]?.pause = rounds
                // The others find that it is silent.
                for _ in 0..<(isLong ? 20 : 0) {
                    several.rows.advance(by: .seconds(2))
                    for other in several.parts where other?.pause == 0 { other?.node.watchRows() }
                }
            }
        }

        /// Has a server wait in vain for the end of a commit, which takes place late or never.
        func loseCommit(_ place: Int, _ parts: SeveralServers.Parts, _ several: SeveralServers) {
            note("server \(place) doesn't know of a commit that is late")
            servers[place].states.apply(WriteEffects(isIncomplete: true))
            several.lateNumbers.append(parts.node.loseCommit())
        }

        func cut(_ place: Int, _ parts: SeveralServers.Parts, _ several: SeveralServers) {
            note("server \(place) loses its connection")
            parts.node.cut()
            parts.node.missRows()
            several.parts[place]?.isListening = false
        }

        func hear(_ place: Int, _ parts: SeveralServers.Parts, _ several: SeveralServers) {
            if let event = parts.node.nextEvent() {
                parts.others.hear(event)
                if case .cut = event { several.parts[place]?.isCut = true }
                if case .listening = event { several.parts[place]?.isCut = false }
            } else if several.parts[place]?.isListening == false {
                parts.node.listenAgain()
                several.parts[place]?.isListening = true
            }
        }

        /// Has a server hear everything, also that it was cut, and listen again.
        func hearAll(_ place: Int, _ parts: SeveralServers.Parts, _ several: SeveralServers) {
            while parts.node.hasEvent { hear(place, parts, several) }
            if several.parts[place]?.isListening == false { hear(place, parts, several) }
            while parts.node.hasEvent { hear(place, parts, several) }
        }

        func runStream(_ place: Int, _ server: SimulatedServer, _ several: SeveralServers) async throws {
            guard var stream = several.parts[place]?.stream else {
                several.parts[place]?.node.prepareWriting()
                several.parts[place]?.stream = try await SimulatedStream(of: Self.person, on: server)
                return
            }
            try await stream.run(on: server)
            several.parts[place]?.stream = stream
        }

        /// Issues tokens of another person, and ends them all now and then, on any servers.
        private func useTokens(_ several: SeveralServers) async throws {
            let name = "eve"
            let places = several.running
            guard let place = several.dice.pick(places) else { return }
            let server = servers[place]
            several.parts[place]?.node.prepareWriting()
            if several.dice.chance(0.3) {
                note("the tokens of \(name) end, by server \(place)")
                try await server.sessions.revokeAllTokens(of: name, by: .tool)
                for index in several.tokens.indices { several.tokens[index].isEnded = true }
                for (text, _) in several.tokens {
                    expect(
                        try await server.status(ofToken: text) == 401,
                        "server \(place) accepts a token that it ended"
                    )
                }
                try await endTokensElsewhere(several, place)
            } else {
                let start = try await server.people.tokensSince(of: name)
                let text = try await server.tokens.issue(for: name, lifetime: 90 * 86_400, notBefore: start).token
                several.tokens.append((text, false))
                guard let other = several.dice.pick(places) else { return }
                several.parts[other]?.node.prepareWriting()
                expect(try await servers[other].status(ofToken: text) == 200, "server \(other) rejects a new token")
            }
        }

        /// Checks that another server ends tokens as soon as it hears of it.
        private func endTokensElsewhere(_ several: SeveralServers, _ place: Int) async throws {
            guard several.dice.chance(0.5), let other = several.dice.pick(several.running.filter { $0 != place }),
                let parts = several.parts[other], parts.isListening
            else { return }
            several.parts[place]?.node.announceWaiting()
            hearAll(other, parts, several)
            while parts.others.needsRead { await parts.others.readAndRenew() }
            parts.node.prepareWriting()
            for (text, isEnded) in several.tokens where isEnded {
                let status = try await servers[other].status(ofToken: text)
                expect(status == 401, "server \(other) answers \(status) to a token whose end it has heard of")
            }
        }

        /// Checks that whoever answers from memory has the latest state in it.
        func checkMemory(_ several: SeveralServers) async throws {
            for fault in several.rows.faults { expect(false, fault) }
            for (place, server) in servers.enumerated() {
                guard let parts = several.parts[place], let person = parts.stream?.person,
                    let known = server.people.knownState(of: person)
                else { continue }
                expect(!parts.isCut, "server \(place) is cut off, and its streams have \(known) from memory")
                guard parts.node.isAlone else { continue }
                let stored = try await server.storage.read { reading in try reading.state(of: person) }
                expect(known == stored, "server \(place) is alone with \(known), and the database has \(stored)")
            }
        }

        private func settle(_ several: SeveralServers) async throws {
            for place in servers.indices {
                several.parts[place]?.pause = 0
                if several.parts[place] == nil, several.dice.chance(0.5) {
                    servers[place] = try await newServer(at: place)
                }
            }
            for _ in 0..<4 {
                several.rows.advance(by: PostgresNode.interval)
                for parts in several.parts { parts?.node.announceWaiting() }
                for (place, parts) in several.parts.enumerated() {
                    guard let parts else { continue }
                    hearAll(place, parts, several)
                    parts.node.watchRows()
                    while parts.others.needsRead { await parts.others.readAndRenew() }
                    try await runStream(place, servers[place], several)
                }
            }
            try await checkMemory(several)
        }

        func checkStream(_ place: Int, _ several: SeveralServers) async throws {
            guard let stream = several.parts[place]?.stream else { return }
            let stored = try await servers[place].storage.read { reading in try reading.state(of: stream.person) }
            expect(
                stream.announced == stored,
                "a stream of server \(place) has announced \(stream.announced), and the latest state is \(stored)"
            )
        }
    }
#endif
