import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct TypeSyncStatesTests {
    private var states = TypeSyncStates()

    @Test mutating func `a type without a state has the default one, and types don't share theirs`() {
        states["Note"].support = .unsupported
        #expect(states["Note"].support == .unsupported)
        #expect(states["Folder"].support == .full && states["Folder"].probe == .notSent)
    }

    @Test mutating func `a round resets what is valid for a round, and nothing else`() {
        (states["Note"].probe, states["Note"].support) = (.unchanged, .withoutOutline)
        states["Note"].hasCheckedWindow = true
        states["Note"].reconciliation.request()
        states.beginRound()
        #expect(states["Note"].probe == .notSent && !states["Note"].reconciliation.isRequested)
        #expect(states["Note"].support == .withoutOutline && states["Note"].hasCheckedWindow)
    }

    @Test mutating func `a new session resets what is valid for a session, and nothing else`() {
        let isFirst = states.adoptSession("s1")
        (states["Note"].probe, states["Note"].support) = (.unchanged, .unsupported)
        states["Note"].hasCheckedWindow = true
        let isSame = states.adoptSession("s1")
        #expect(isFirst && !isSame && states["Note"].support == .unsupported)
        let isNew = states.adoptSession("s2")
        #expect(isNew && states["Note"].support == .full)
        #expect(states["Note"].probe == .unchanged && states["Note"].hasCheckedWindow)
    }
}
