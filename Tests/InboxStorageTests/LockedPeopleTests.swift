import Postgres
import Testing

@testable import InboxService

/// Whose writes are refused because their rows are locked, with a clock of the test.
@Suite(.timeLimit(.minutes(5))) struct LockedPeopleTests {
    private let start = ContinuousClock.now

    private func error() throws -> PostgresError {
        try #require(failure(PostgresError.self) { _ = try PostgresSettings("x", usesPooler: false) })
    }

    @Test func `writes of a locked person are refused for a second after each attempt`() throws {
        var people = LockedPeople()
        #expect(!people.mayBeLocked("ann") && people.refusal(of: "ann", at: start) == nil)
        people.note(try error(), of: "ann", at: start)
        #expect(people.mayBeLocked("ann") && !people.mayBeLocked("bob"))
        #expect(people.refusal(of: "ann", at: start + .milliseconds(999)) != nil)
        #expect(people.refusal(of: "bob", at: start) == nil)
        #expect(people.refusal(of: "ann", at: start + .seconds(1)) == nil)
        #expect(people.mayBeLocked("ann"))
        people.note(try error(), of: "ann", at: start + .seconds(2))
        #expect(people.refusal(of: "ann", at: start + .seconds(2.5)) != nil)
        people.forget("ann")
        #expect(!people.mayBeLocked("ann") && people.refusal(of: "ann", at: start + .seconds(2.5)) == nil)
    }

    @Test func `names are compared as the database does`() throws {
        var people = LockedPeople()
        people.note(try error(), of: "\u{E9}", at: start)
        #expect(people.mayBeLocked("\u{E9}") && !people.mayBeLocked("e\u{301}"))
    }

    @Test func `a person without further writes is removed after a minute`() throws {
        var people = LockedPeople()
        people.note(try error(), of: "ann", at: start)
        people.note(try error(), of: "bob", at: start + .seconds(60))
        #expect(people.mayBeLocked("ann"))
        people.note(try error(), of: "cyn", at: start + .seconds(61))
        #expect(!people.mayBeLocked("ann") && people.mayBeLocked("bob"))
    }
}
