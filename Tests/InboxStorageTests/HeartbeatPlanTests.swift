import Testing

@testable import InboxService

/// When a server sends its heartbeats.
@Suite(.timeLimit(.minutes(5))) struct HeartbeatPlanTests {
    @Test func `a heartbeat is sent before each eighth read`() {
        var plan = HeartbeatPlan()
        let sent = (0..<20).filter { _ in
            let isDue = plan.isDue(on: 7)
            if isDue { plan.noteHeartbeat(on: 7) }
            plan.noteRead()
            return isDue
        }
        #expect(sent == [0, 8, 16])
    }

    @Test func `a new connection has a heartbeat before its first read`() {
        var plan = HeartbeatPlan()
        plan.noteHeartbeat(on: 7)
        plan.noteRead()
        #expect(!plan.isDue(on: 7) && plan.isDue(on: 8))
        plan.noteHeartbeat(on: 8)
        plan.noteRead()
        #expect(!plan.isDue(on: 8) && plan.isDue(on: 7))
    }

    @Test func `a heartbeat is sent first after a failure, until one has succeeded`() {
        var plan = HeartbeatPlan()
        plan.noteHeartbeat(on: 7)
        plan.noteFailure()
        #expect(plan.isDue(on: 7))
        plan.noteFailure()
        #expect(plan.isDue(on: 7))
        plan.noteHeartbeat(on: 7)
        #expect(!plan.isDue(on: 7))
    }

    @Test func `a heartbeat is sent before each read until its connection has the lock`() {
        var plan = HeartbeatPlan()
        var due: [Bool] = []
        for isLocked in [false, false, true, true] {
            due.append(plan.isDue(on: 7))
            plan.noteLock(isLocked)
            plan.noteHeartbeat(on: 7)
            plan.noteRead()
        }
        #expect(due == [true, true, true, false])
    }
}
