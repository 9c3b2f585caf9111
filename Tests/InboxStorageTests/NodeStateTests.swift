import Foundation
import Groundwork
import Postgres
import Testing

@testable import InboxService

/// What a server decides about its place among the others, with a clock of the test.
@Suite(.timeLimit(.minutes(5))) struct NodeStateTests {
    private let start = ContinuousClock.now
    private let silence = Duration.milliseconds(NodeNumber.lifetime)

    private func number(_ id: Int = 0, session: Int = 1, group: Int = 0, isTaken: Bool = false) -> NodeNumber {
        NodeNumber(id: id, session: session, group: group, message: 0, isTaken: isTaken)
    }

    private func rows(isAlone: Bool = true) -> NodeRows { NodeRows(groups: [:], isAlone: isAlone, readAt: start) }

    /// A server that is alone.
    private func state() -> NodeState {
        var state = NodeState(number: number(), among: rows(), at: start)
        state.setAlone(true, readAt: start)
        return state
    }

    // MARK: Coming

    @Test func `a new server writes at once only if no other can have been alone`() {
        let arrivals = [(true, false), (false, false), (true, true)].map { isAlone, isTaken in
            NodeState(number: number(isTaken: isTaken), among: rows(isAlone: isAlone), at: start).writesFrom - start
        }
        #expect(arrivals == [.zero, NodeState.initialWritePause, NodeState.initialWritePause])
        #expect(NodeState.lease < NodeState.initialWritePause)
    }

    // MARK: Clocks

    private func reading(_ before: Double, _ after: Double) -> ClockReading {
        let database = Date(timeIntervalSince1970: 1_800_000_000)
        return ClockReading(
            database: database,
            before: database.addingTimeInterval(before),
            after: database.addingTimeInterval(after)
        )
    }

    @Test func `a clock is wrong if it differs by more than five seconds, whenever it was read`() {
        for (before, after, difference) in [
            (-0.1, 0.1, 0), (4.9, 5, 0), (-5, -4.9, 0), (5.1, 5.2, 5.1), (-9, -8, -8), (60, 90, 60), (-90, -60, -60),
            // The clock was set back while the database was asked.
            (90, 60, 60),
        ] {
            var state = state()
            state.noteClock(reading(before, after))
            // A date has no exact tenths.
            #expect(abs(state.clockDifference - difference) < 0.001, "\(before) \(after)")
            state.noteClock(reading(-0.1, 0.1))
            #expect(state.clockDifference == 0)
        }
    }

    @Test func `a clock reading that took too long changes nothing`() {
        var state = state()
        for slow in [reading(-20, 0), reading(0, 20), reading(-20, 20), reading(4, 6)] {
            state.noteClock(slow)
            #expect(state.clockDifference == 0)
        }
        state.noteClock(reading(60, 61))
        for slow in [reading(-20, 60), reading(4, 6), reading(-1, 9)] {
            state.noteClock(slow)
            #expect(state.clockDifference == 60)
        }
        // The next heartbeat's does.
        state.noteClock(reading(70, 71))
        #expect(state.clockDifference == 70)
        state.noteClock(reading(1, 2))
        #expect(state.clockDifference == 0)
    }

    // MARK: Alone

    @Test func `a server is alone for a second from the read that found no other`() {
        var state = state()
        #expect(state.isAlone(at: start + .milliseconds(999)))
        #expect(!state.isAlone(at: start + .seconds(1)))
        state.setAlone(false, readAt: start)
        #expect(!state.isAlone(at: start))
    }

    @Test func `a server isn't alone until commits of unknown outcome have ended and are read`() {
        var state = state()
        state.announceUnknown()
        #expect(!state.isAlone(at: start))
        state.setAlone(true, readAt: start)
        #expect(!state.isAlone(at: start))
        // What was perhaps committed has the next number, so that none is used twice.
        let late = number(group: 1)
        #expect(state.number.group == 1 && state.number.message == 1 << 24)
        #expect(state.heartbeat() == [.heartbeat(state.number)])
        let ending = state.sentHeartbeat(with: state.number, isOwn: true, at: start)
        guard case .endUnknown(let ended, 1) = ending.first, ending.count == 1 else {
            Issue.record("\(ending)")
            return
        }
        #expect(ended.session == late.session && ended.group == late.group)
        let steps = state.endedUnknown(1, isOwn: true, at: start)
        #expect(steps == [.readAgain, .settle(outcomes: 1)])
        state.setAlone(true, readAt: start)
        #expect(!state.isAlone(at: start))
        state.settle(1)
        // It isn't alone by what was read before.
        #expect(!state.isAlone(at: start))
        state.setAlone(true, readAt: start)
        #expect(state.isAlone(at: start))
        #expect(state.sentHeartbeat(with: state.number, isOwn: true, at: start) == [])
    }

    @Test func `a later commit of unknown outcome isn't ended with an earlier one`() {
        var state = state()
        state.announceUnknown()
        let steps = state.endedUnknown(1, isOwn: true, at: start)
        state.announceUnknown()
        #expect(steps == [.readAgain, .settle(outcomes: 1)])
        state.settle(1)
        state.setAlone(true, readAt: start)
        #expect(!state.isAlone(at: start))
        state.settle(2)
        state.setAlone(true, readAt: start)
        #expect(state.isAlone(at: start))
    }

    @Test func `a lost number, or another commit, doesn't end one of unknown outcome`() {
        var state = state()
        state.announceUnknown()
        #expect(state.endedUnknown(1, isOwn: false, at: start) == [])
        state.announce(number(group: 2), Announcement(WriteEffects(own: [1: 1])))
        state.setAlone(true, readAt: start)
        #expect(!state.isAlone(at: start))
    }

    // MARK: Numbers

    @Test func `a lost number is replaced, everything is read again, and a pause follows`() {
        var state = state()
        state.announce(number(group: 3), Announcement(WriteEffects(own: [1: 1])))
        let lost = state.number
        #expect(state.sentHeartbeat(with: lost, isOwn: false, at: start) == [.acquire(insteadOf: lost)])
        #expect(state.renewal(of: lost) == [.acquire(insteadOf: lost)])
        let new = number(2, session: 2, group: 7)
        #expect(state.acquired(new, insteadOf: lost, at: start + .seconds(9)) == [.readAgain])
        #expect(state.number == new)
        #expect(state.writesFrom == start + .seconds(9) + NodeState.initialWritePause)
        // The groups of the former number are found by its row.
        let waiting = state.takeWaiting()
        #expect(waiting.groups == nil && waiting.own == [1: 1])
    }

    @Test func `of two tasks that replace a lost number, the second releases its new one`() {
        var state = state()
        let lost = state.number
        let (first, second) = (number(1, session: 2), number(2, session: 3))
        _ = state.acquired(first, insteadOf: lost, at: start)
        #expect(state.acquired(second, insteadOf: lost, at: start + .seconds(1)) == [.release(second)])
        #expect(state.number == first)
        #expect(state.writesFrom == start + NodeState.initialWritePause)
        #expect(state.renewal(of: lost) == [])
        #expect(state.sentHeartbeat(with: lost, isOwn: false, at: start) == [])
    }

    @Test func `silent servers lose their numbers unless a read failed in that time`() {
        var state = state()
        func ends(at time: Duration) -> Bool {
            let steps = state.sentHeartbeat(with: state.number, isOwn: true, at: start + time)
            #expect(
                steps.allSatisfy { [.endSilent(state.number), .endClaimsOfStoppedServers(state.number)].contains($0) }
            )
            return steps.contains(.endSilent(state.number))
        }
        #expect(!ends(at: .seconds(60)))
        state.noteRead(at: start)
        #expect(!ends(at: silence) && ends(at: silence + .milliseconds(1)))
        state.noteRead(at: nil)
        #expect(!ends(at: silence + .milliseconds(1)))
        state.noteRead(at: start + silence)
        #expect(!ends(at: silence * 2) && ends(at: silence * 2 + .milliseconds(1)))
        // Also after what comes first.
        state.announceUnknown()
        #expect(state.endedUnknown(1, isOwn: true, at: start + silence * 3).last == .endSilent(state.number))
    }

    @Test func `no server is silent by a clock that was set`() {
        var state = state()
        func ends(at time: Duration) -> Bool {
            state.sentHeartbeat(with: state.number, isOwn: true, at: start + time).contains(.endSilent(state.number))
        }
        state.noteRead(at: start)
        // The same difference, and a reading that took long.
        for ahead in [-0.1, -0.9, -8] {
            state.noteClock(reading(ahead, 0.1))
            #expect(ends(at: silence * 2))
        }
        for (set, ahead) in [(2, -60.0), (4, 3.0)] {
            state.noteClock(reading(ahead, ahead))
            #expect(!ends(at: silence * set))
            state.noteRead(at: start + silence * set)
            state.noteClock(reading(ahead + 0.5, ahead + 0.6))
            #expect(!ends(at: silence * (set + 1)) && ends(at: silence * (set + 1) + .milliseconds(1)))
        }
    }

    @Test func `what the former server of a number has left unfinished is ended once, later`() {
        var state = NodeState(number: number(isTaken: true), among: rows(), at: start)
        func ends(at time: Duration) -> Bool {
            state.sentHeartbeat(with: state.number, isOwn: true, at: start + time).contains(.endUnfinished)
        }
        state.noteRead(at: start)
        #expect(!ends(at: silence) && ends(at: silence + .milliseconds(1)) && ends(at: silence * 2))
        state.endedUnfinished()
        #expect(!ends(at: silence * 2))
        for (isTaken, time) in [(false, 2), (true, 4)] {
            let new = number(time, session: time + 1, isTaken: isTaken)
            _ = state.acquired(new, insteadOf: state.number, at: start + silence * time)
            #expect(!ends(at: silence * (time + 1)))
            #expect(ends(at: silence * (time + 1) + .milliseconds(1)) == isTaken)
        }
        state.noteRead(at: nil)
        #expect(!ends(at: silence * 9))
    }

    @Test func `claims of stopped servers are ended unless a read failed recently`() {
        var state = state()
        func steps(at time: Duration) -> [NodeState.Step] {
            state.sentHeartbeat(with: state.number, isOwn: true, at: start + time)
        }
        let steady = Duration.milliseconds(2 * NodeNumber.lateness)
        #expect(steps(at: steady * 2) == [])
        state.noteRead(at: start)
        #expect(steps(at: steady) == [])
        #expect(steps(at: steady + .milliseconds(1)) == [.endClaimsOfStoppedServers(state.number)])
        state.noteRead(at: nil)
        #expect(steps(at: steady + .milliseconds(2)) == [])
    }

    // MARK: Heartbeats

    @Test func `a row with fewer groups than were confirmed shows that commits are lost`() {
        func rows(_ latest: [Int: Int]?) -> NodeRows {
            NodeRows(groups: [:], latest: latest, isAlone: false, readAt: start)
        }
        func isLost(_ state: NodeState, _ latest: [Int: Int]) -> Bool {
            var state = state
            state.noteGroups(rows(latest), confirmed: state.confirmedGroups)
            return state.hasLostCommits
        }
        var state = state()
        #expect(!isLost(state, [:]))
        for group in 1...3 { state.announce(number(group: group), Announcement()) }
        #expect(state.confirmedGroups == [0: 3])
        // Read before the last commit, and of a standby: nothing of these is a loss.
        state.noteGroups(rows([0: 2]), confirmed: [0: 2])
        state.noteGroups(rows(nil), confirmed: state.confirmedGroups)
        #expect(!state.hasLostCommits)
        // Neither a commit of unknown outcome nor another number hides one.
        state.announceUnknown()
        #expect(state.number.group == 4 && state.number.confirmed == 3)
        #expect(!isLost(state, [0: 3]) && isLost(state, [0: 2]) && isLost(state, [:]))
        _ = state.acquired(number(4, session: 99, group: 1), insteadOf: state.number, at: start)
        #expect(state.confirmedGroups == [0: 3, 4: 1])
        #expect(!isLost(state, [0: 3, 4: 1]) && isLost(state, [0: 2, 4: 1]) && isLost(state, [0: 3, 4: 0]))
        // Another server has found a loss.
        let marked = NodeRows(groups: [:], latest: [0: 3, 4: 1], isAlone: false, hasLostCommits: true, readAt: start)
        state.noteGroups(marked, confirmed: state.confirmedGroups)
        #expect(state.hasLostCommits)
    }

    @Test func `the database accepts writes for eight seconds from a heartbeat on`() {
        var state = state()
        func expectWrites(from time: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
            let end = start + time + .seconds(8)
            #expect(state.acceptsWrites(at: end), sourceLocation: sourceLocation)
            #expect(!state.acceptsWrites(at: end + .milliseconds(1)), sourceLocation: sourceLocation)
        }
        expectWrites(from: .zero)
        _ = state.sentHeartbeat(with: state.number, isOwn: true, at: start + .seconds(10))
        expectWrites(from: .seconds(10))
        // One that finds the number lost doesn't count, as perhaps no other one is given to the server.
        _ = state.sentHeartbeat(with: state.number, isOwn: false, at: start + .seconds(20))
        expectWrites(from: .seconds(10))
        _ = state.acquired(number(4, session: 99), insteadOf: state.number, at: start + .seconds(20))
        expectWrites(from: .seconds(20))
        state.noteHeartbeat(at: start + .seconds(30))
        expectWrites(from: .seconds(30))
        // What can be read says nothing.
        state.noteRead(at: start + .seconds(60))
        state.setListening(true)
        expectWrites(from: .seconds(30))
    }

    @Test func `without tables or rights no writes are accepted, until a heartbeat is stored`() {
        var state = state()
        // A connection that was lost may be back at once, and a full disk is the same for all servers.
        for kind in [nil, .unavailable, .rejected, .timedOut, .diskFull, .other] as [PostgresError.Kind?] {
            state.noteFailure(kind, at: start + .seconds(1))
            #expect(state.acceptsWrites(at: start + .seconds(1)), "\(String(describing: kind))")
        }
        state.noteFailure(.incomplete, at: start + .seconds(2))
        #expect(!state.acceptsWrites(at: start + .seconds(2)))
        state.noteRead(at: start + .seconds(3))
        #expect(!state.acceptsWrites(at: start + .seconds(3)))
        _ = state.sentHeartbeat(with: state.number, isOwn: true, at: start + .seconds(4))
        #expect(state.acceptsWrites(at: start + .seconds(4)))
        // Of other tables than that of the heartbeats.
        state.noteRights(false)
        _ = state.sentHeartbeat(with: state.number, isOwn: true, at: start + .seconds(5))
        #expect(!state.acceptsWrites(at: start + .seconds(5)))
        state.noteRights(true)
        #expect(state.acceptsWrites(at: start + .seconds(5)))
    }

    // MARK: Announcing

    @Test func `waiting changes are announced once, and kept if they can't be sent`() {
        var state = state()
        state.announce(number(group: 1), Announcement(WriteEffects(own: [1: 4])))
        state.announce(number(group: 2), Announcement(WriteEffects(own: [1: 5], broadcast: 3)))
        let sent = state.takeWaiting()
        #expect(sent.groups == 1...2 && sent.own == [1: 5] && sent.broadcast == 3)
        #expect(state.takeWaiting().isEmpty)
        state.keep(sent, of: state.number)
        state.announce(number(group: 3), Announcement(WriteEffects(broadcast: 4)))
        let again = state.takeWaiting()
        #expect(again.groups == 1...3 && again.own == [1: 5] && again.broadcast == 4)
        // A number that was lost meanwhile is another server's.
        let former = state.number
        _ = state.acquired(number(1, session: 2), insteadOf: former, at: start)
        state.keep(again, of: former)
        state.announce(former, Announcement(WriteEffects(own: [2: 1])))
        let last = state.takeWaiting()
        #expect(last.groups == nil && last.own == [1: 5, 2: 1] && state.number.session == 2)
    }

    @Test func `an announcement waits for an earlier one that is being sent`() {
        var state = state()
        // The time after each notification has passed.
        let later = ContinuousClock.now + .seconds(60)
        #expect(state.beginSending().isEmpty)
        #expect(state.mayNotify(at: later))
        for isSent in [true, false] {
            let group = state.number.group + 1
            state.announce(number(group: group), Announcement(WriteEffects(own: [1: group])))
            let sending = state.beginSending()
            #expect(sending.groups == group...group)
            #expect(!state.mayNotify(at: later))
            state.announce(number(group: group + 1), Announcement(WriteEffects(own: [1: group + 1])))
            if !isSent { state.keep(sending, of: state.number) }
            state.endSending()
            // What waits would be announced after it.
            #expect(!state.mayNotify(at: later))
            let next = state.beginSending()
            #expect(next.groups == (isSent ? group + 1 : group)...(group + 1))
            state.endSending()
            #expect(state.mayNotify(at: later))
        }
    }

    @Test func `an announcement of several payloads isn't delayed`() {
        var state = state()
        let own = Dictionary(uniqueKeysWithValues: (0..<1_500).map { (1_000_000 + $0, 1) })
        let next = state.nextAnnouncement
        state.announce(number(group: 1), Announcement(WriteEffects(own: own)))
        #expect(state.nextAnnouncement == next)
        let waiting = state.takeWaiting()
        #expect(waiting.own == own && waiting.payloads(from: 0).count > 1)
    }

    @Test func `a commit of unknown outcome is announced as a change of anything`() {
        var state = state()
        state.announceUnknown()
        #expect(state.takeWaiting() == Announcement(isUnknown: true))
        state.announce(number(group: 2), Announcement(WriteEffects(own: [1: 5])))
        #expect(state.takeWaiting().groups == 2...2)
    }

    // MARK: Hearing

    @Test func `a server receives changes by notifications, or by reads of the last 5 seconds`() {
        var state = state()
        #expect(!state.receivesChanges(at: start))
        state.noteRead(at: start)
        state.noteRead(at: nil)
        #expect(
            state.receivesChanges(at: start + .seconds(5)) && !state.receivesChanges(at: start + .milliseconds(5_001))
        )
        state.setListening(true)
        #expect(state.receivesChanges(at: start + .seconds(60)))
    }
}
