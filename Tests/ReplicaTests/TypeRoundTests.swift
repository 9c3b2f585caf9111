import Testing

@testable import Replica

@Suite(.timeLimit(.minutes(5))) struct TypeRoundTests {
    @Test func `a type without a state begins with a full sync`() {
        var round = TypeRound(since: nil, carriesWrites: true, limit: 500)
        #expect(round.next == .fullSync)
        round.fullSynced(to: "1")
        #expect(round.next == .changes(since: "1", limit: 500))
    }

    @Test func `a complete full sync ends the round`() {
        var round = TypeRound(since: nil, carriesWrites: true, limit: 500)
        round.fullSynced(to: "1", isComplete: true)
        #expect(round.next == .finished)
    }

    @Test func `changes are requested until none are left and nothing waits to be sent`() {
        var round = TypeRound(since: "1", carriesWrites: true, limit: 500)
        #expect(round.changed(to: "2", hasMore: true, isSent: true) == .none)
        #expect(round.next == .changes(since: "2", limit: 500))
        #expect(round.changed(to: "3", hasMore: false, isSent: false) == .none)
        #expect(round.next == .changes(since: "3", limit: 500))
        #expect(round.changed(to: "3", hasMore: false, isSent: true) == .none)
        #expect(round.next == .complete(at: "3"))
        round.completed(at: "3", hasMore: true)
        #expect(round.next == .changes(since: "3", limit: 500))
        _ = round.changed(to: "3", hasMore: false, isSent: true)
        round.completed(at: "3", hasMore: false)
        #expect(round.next == .finished)
    }

    @Test func `writes of unknown outcome are compared with all changes before any are sent`() {
        var round = TypeRound(since: "1", carriesWrites: false, limit: 500)
        #expect(round.changed(to: "2", hasMore: true, isSent: false) == .none)
        #expect(!round.carriesWrites)
        #expect(round.changed(to: "3", hasMore: false, isSent: true) == .repeatedWrites)
        #expect(round.carriesWrites)
        #expect(round.next == .changes(since: "3", limit: 500))
    }

    @Test func `a lost state leads to one full sync in a round`() {
        var round = TypeRound(since: "1", carriesWrites: true, limit: 500)
        let isFirst = round.lostState()
        #expect(isFirst && round.next == .fullSync)
        round.fullSynced(to: "2")
        let isSecond = round.lostState()
        #expect(!isSecond)
    }

    @Test func `an answer that is too large halves the number of changes, down to one`() {
        var round = TypeRound(since: "1", carriesWrites: true, limit: 4)
        var limits: [Int] = []
        while round.changesTooLarge() {
            if case .changes(since: "1", let limit) = round.next { limits.append(limit) }
        }
        #expect(limits == [2, 1])
        _ = round.changed(to: "2", hasMore: true, isSent: true)
        #expect(round.next == .changes(since: "2", limit: 1))
    }

    @Test func `a round syncs new types, then referred ones, then whole ones last`() {
        func place(new: Bool = false, referred: Bool = false, whole: Bool = false) -> TypeRound.OrderKey {
            TypeRound.OrderKey(isNew: new, isReferredTo: referred, canBeProbed: whole)
        }
        let places = [place(whole: true), place(), place(referred: true, whole: true), place(new: true), place()]
        #expect(TypeRound.order(places) == [3, 2, 1, 4, 0])
        #expect(TypeRound.order([]).isEmpty)
    }
}
