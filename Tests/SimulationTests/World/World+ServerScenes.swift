#if PostgreSQL
    import Foundation
    import Groundwork

    @testable import InboxServer
    @testable import InboxService

    /// Short scenes of two servers, each of which rarely happens by itself.
    extension World {
        private enum Scene {
            case leaving, successor, cut, sending, waking, unknown, late
        }

        /// Plays a scene now and then: something is committed that a server doesn't hear of at first, and it finds out.
        func runServerEvent(_ several: SeveralServers) async {
            guard several.dice.chance(0.15) else { return }
            do {
                try await playScene(several)
            } catch {
                recordFailure(of: "a scene of servers", error)
            }
        }

        private func playScene(_ several: SeveralServers) async throws {
            let scene: Scene = several.dice.pick([
                .leaving: 4, .successor: 3, .cut: 2, .sending: 1, .waking: 3, .unknown: 2, .late: 5,
            ])
            // The one that finds out, and the one that commits.
            guard let place = several.dice.pick(several.running) else { return }
            if scene == .late, several.dice.chance(0.3) { try await leaveAlone(place, several) }
            try await meet(place, several)
            switch scene {
            case .unknown: try await commitUnknown(place, several)
            case .late: try await commitLate(place, several)
            case .leaving, .successor, .cut, .sending, .waking:
                guard let other = several.dice.pick(several.running.filter { $0 != place }) else { return }
                note("server \(place) is about to find out what server \(other) commits (\(scene))")
                try await commit(by: other, several)
                try await play(scene, by: other, unheardBy: place, several)
            }
            try await findOut(place, several)
        }

        private func leaveAlone(_ place: Int, _ several: SeveralServers) async throws {
            for other in servers.indices where other != place {
                guard let parts = several.parts[other] else { continue }
                try await leave(several, other, parts.node, .stopping)
            }
        }

        /// Opens a stream of a server, which mostly knows the latest state after that, and may be alone.
        private func meet(_ place: Int, _ several: SeveralServers) async throws {
            guard let parts = several.parts[place] else { return }
            hearAll(place, parts, several)
            try await runStream(place, servers[place], several)
            guard several.dice.chance(0.8) else { return }
            for _ in 0..<2 {
                parts.node.watchRows()
                while parts.others.needsRead { await parts.others.readAndRenew() }
            }
            try await runStream(place, servers[place], several)
            parts.node.reportRows()
            _ = try await servers[place].people.latestState(of: several.parts[place]!.stream!.person)
            try await checkMemory(several)
        }

        private func commit(by place: Int, _ several: SeveralServers) async throws {
            several.next = place
            await send()
            several.next = nil
            time.advance(by: 1)
            try await checkMemory(several)
        }

        private func play(
            _ scene: Scene,
            by place: Int,
            unheardBy other: Int,
            _ several: SeveralServers
        ) async throws {
            guard let parts = several.parts[place], let others = several.parts[other] else { return }
            switch scene {
            case .cut:
                cut(other, others, several)
                parts.node.announceWaiting()
                guard several.dice.chance(0.5) else { return }
                hear(other, others, several)
                others.node.reportRows()
                expect(others.others.needsRead, "server \(other) is cut off, and doesn't look for what it can't hear")
            case .sending:
                parts.node.announceWaiting(several.dice.chance(0.5) ? .failed : .unconfirmed)
                if several.dice.chance(0.5) { parts.node.announceWaiting() }
            case .waking:
                note("server \(place) stood still for long")
                for _ in 0..<10 {
                    several.rows.advance(by: .seconds(2))
                    others.node.watchRows()
                    while others.others.needsRead { await others.others.readAndRenew() }
                }
                _ = try await servers[other].people.latestState(of: several.parts[other]!.stream!.person)
                // It has another number from now on, and announces what it had noted with the former one.
                try await commit(by: place, several)
                guard several.dice.chance(0.7) else { return }
                parts.node.announceWaiting()
                if several.dice.chance(0.5) { hearAll(other, others, several) }
                try await commit(by: place, several)
                try await leave(several, place, parts.node, several.dice.chance(0.5) ? .killed : .unheard)
            case .leaving, .successor, .unknown, .late:
                let leaving: SimulatedNode.Leaving = several.dice.pick([.unheard: 3, .killed: 3, .stopping: 1])
                try await leave(several, place, parts.node, leaving)
                // Its number is free, or is soon.
                let isTaken = leaving == .killed && several.dice.chance(0.6)
                for _ in 0..<(isTaken ? 9 : 0) {
                    several.rows.advance(by: .seconds(2))
                    if scene == .leaving { others.node.watchRows() }
                }
                guard scene == .successor else { return }
                note("server \(place) starts again")
                servers[place] = try await newServer(at: place)
                for id in sent.keys { sent[id]?.update(to: time.now) }
                // What it announces is about someone else.
                several.parts[place]?.node.prepareWriting()
                try await servers[place].sessions.revokeAllTokens(of: "eve", by: .tool)
                for index in several.tokens.indices { several.tokens[index].isEnded = true }
                several.parts[place]?.node.announceWaiting()
            }
        }

        private func commitUnknown(_ place: Int, _ several: SeveralServers) async throws {
            note("server \(place) won't know of a commit")
            several.parts[place]?.node.loseConfirmation()
            try await commit(by: place, several)
        }

        /// Has a commit take place of which its server hasn't learned, at any moment of what that does meanwhile.
        private func commitLate(_ place: Int, _ several: SeveralServers) async throws {
            guard let parts = several.parts[place] else { return }
            if several.lateNumbers.isEmpty || several.dice.chance(0.7) { loseCommit(place, parts, several) }
            for _ in 0..<several.dice.int(0...12) { try await findOutMore(place, several) }
            let number = several.lateNumbers.removeLast()
            guard several.rows.accepts(number) else { return note("a late commit fails") }
            note("a late commit takes place")
            let isNoted = Locked(false)
            let (rows, time) = (several.rows, time)
            let late = try await SimulatedServer(
                file: folder.appendingPathComponent("server.sqlite"),
                clock: time,
                random: serverRandom,
                core: core,
                node: LateCommit(),
                runsDueWork: false
            ) { effects in
                if effects.own.isEmpty, effects.broadcast == nil { return effects }
                let isFirst = isNoted.withLock { isNoted in
                    defer { isNoted = true }
                    return !isNoted
                }
                if isFirst { rows.note(number, at: time.now) } else { rows.report("two late commits are one") }
                return effects
            }
            several.late = late
            await send()
            several.late = nil
            try await late.close()
            time.advance(by: 1)
            try await checkMemory(several)
            for _ in 0..<several.dice.int(0...12) { try await findOutMore(place, several) }
        }

        /// Lets a server do one thing of what it does by itself.
        private func findOutMore(_ place: Int, _ several: SeveralServers) async throws {
            guard let parts = several.parts[place] else { return }
            several.rows.advance(by: .milliseconds(several.dice.pick([5: 3, 250: 2, 1_000: 1])))
            switch several.dice.int(0...6) {
            case 0: hear(place, parts, several)
            case 1: hearAll(place, parts, several)
            case 2, 3: if parts.node.isSendingHeartbeat { parts.node.goOn() } else { parts.node.beginHeartbeat() }
            case 4: if parts.others.needsRead { await parts.others.readAndRenew() }
            default: parts.node.reportRows()
            }
            try await checkMemory(several)
        }

        /// Has a server find out, in any order, and checks that it has after two reads of the rows.
        private func findOut(_ place: Int, _ several: SeveralServers) async throws {
            for _ in 0..<several.dice.int(0...6) { try await findOutMore(place, several) }
            guard let parts = several.parts[place] else { return }
            for _ in 0..<2 {
                several.rows.advance(by: .milliseconds(250))
                parts.node.watchRows()
                try await checkMemory(several)
            }
            while parts.others.needsRead { await parts.others.readAndRenew() }
            try await runStream(place, servers[place], several)
            try await checkStream(place, several)
            // What it can't hear of in this way is in the database, and memory doesn't count.
            parts.node.reportRows()
            try await checkMemory(several)
        }
    }
#endif
