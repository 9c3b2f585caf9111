import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct TypeSyncStatesTests {
    private var states = TypeSyncStates()

    @Test mutating func `a type without a state has the default one, and types don't share theirs`() {
        states["Note"].session.isUnsupported = true
        #expect(states["Note"].session.isUnsupported)
        #expect(!states["Folder"].session.isUnsupported && states["Folder"].round.isUnchanged == nil)
    }

    @Test mutating func `a round resets what is valid for a round, and nothing else`() {
        states["Note"].round = TypeSyncState.Round(isUnchanged: true, needsVerification: true)
        states["Note"].session.lacksOutline = true
        (states["Note"].hasCheckedWindow, states["Note"].lastDifference) = (true, "a 1 2")
        states["Note"].slicesNeedVerification = true
        states.beginRound()
        #expect(states["Note"].round == TypeSyncState.Round())
        #expect(states["Note"].session.lacksOutline && states["Note"].hasCheckedWindow)
        #expect(states["Note"].lastDifference == "a 1 2" && states["Note"].slicesNeedVerification)
    }

    @Test mutating func `a new session resets what is valid for a session, and nothing else`() {
        let isFirst = states.adoptSession("s1")
        states["Note"].session = TypeSyncState.Session(isUnsupported: true, lacksOutline: true)
        states["Note"].round.isUnchanged = true
        states["Note"].hasCheckedWindow = true
        let isSame = states.adoptSession("s1")
        #expect(isFirst && !isSame)
        #expect(states["Note"].session == TypeSyncState.Session(isUnsupported: true, lacksOutline: true))
        let isNew = states.adoptSession("s2")
        #expect(isNew && states["Note"].session == TypeSyncState.Session())
        #expect(states["Note"].round.isUnchanged == true && states["Note"].hasCheckedWindow)
    }
}
