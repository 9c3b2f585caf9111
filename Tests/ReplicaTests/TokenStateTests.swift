import Foundation
import Groundwork
import Testing

@testable import Replica

/// When the app is asked for a token in place of one that the server refused.
@Suite(.timeLimit(.minutes(5))) struct TokenStateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns a state whose token `a` the server refused and the app replaced with `b`.
    private func replacedState() throws -> TokenState {
        var state = TokenState()
        state.store("a")
        state.refused("a", TokenRefusal(.expired))
        try state.checkReplaceable("a", at: now)
        state.store("b")
        state.replaced("a", with: "b", at: now)
        return state
    }

    @Test func `a refused replacement isn't replaced for a minute`() throws {
        var state = try replacedState()
        state.refused("b", TokenRefusal(.expired))
        #expect(throws: SyncError.self) { try state.checkReplaceable("b", at: now.addingTimeInterval(59)) }
        #expect(state.rejection?.tokenRefusal?.code == .expired)
    }

    @Test func `a replacement that may have expired during sleep is replaced`() throws {
        var state = try replacedState()
        state.refused("b", TokenRefusal(.expired))
        try state.checkReplaceable("b", at: now.addingTimeInterval(60))
        #expect(state.rejection == nil && state.token == nil)
    }

    @Test func `an accepted replacement counts as a first token again`() throws {
        var state = try replacedState()
        state.accepted("b")
        state.refused("b", TokenRefusal(.expired))
        try state.checkReplaceable("b", at: now)
        #expect(state.rejection == nil)
    }

    @Test func `a late refusal of an older token leaves the new one`() throws {
        var state = try replacedState()
        state.refused("a", TokenRefusal(.expired))
        #expect(state.token == "b")
    }

    @Test func `a kept token isn't replaced`() {
        var state = TokenState()
        state.store("a")
        state.isKept = true
        state.refused("a", TokenRefusal(.expired))
        #expect(throws: SyncError.self) { try state.checkReplaceable("a", at: now) }
        #expect(state.rejection == nil && state.keptError.tokenRefusal?.code == .expired)
    }

    @Test(arguments: [(TokenRefusal.Code.expired, false), (TokenRefusal.Code.notYetValid, true)])
    func `a rejected token is sent again only if it wasn't valid yet`(_ code: TokenRefusal.Code, _ isSent: Bool) {
        var state = TokenState()
        state.store("a")
        state.refused("a", TokenRefusal(code))
        _ = state.reject("a")
        var other = state
        let isRenewed = state.renew(with: "a")
        #expect(isRenewed == isSent)
        #expect((state.token == "a") == isSent)
        let isReplaced = other.renew(with: "b")
        #expect(isReplaced && other.token == "b" && other.rejection == nil)
    }

    @Test func `another person's token is forgotten until the rejection is cleared`() {
        var state = TokenState()
        state.store("a")
        state.rejectOtherPerson()
        #expect(state.token == nil)
        if case .otherPerson? = state.rejection {} else { Issue.record("\(String(describing: state.rejection))") }
        state.clearRejection()
        #expect(state.rejection == nil)
    }
}
