import Postgres
import RunningPostgres
import SeededRandom
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct AnnouncementTests {
    private func number(_ random: inout Seeded) -> Int {
        // Of each length, also the greatest.
        random.chance(0.05) ? .max : Int(random.next() >> (1 + random.next() % 63))
    }

    private func numbers(_ random: inout Seeded) -> Set<Int> {
        let count = random.chance(0.5) ? 0 : random.chance(0.1) ? Announcement.peopleLimit : 5
        return Set((0..<count).map { _ in number(&random) })
    }

    private func announcement(_ random: inout Seeded) -> Announcement {
        let first = max(1, number(&random) / 2)
        var announcement = Announcement(
            groups: random.chance(0.5) ? first...(first + number(&random) / 2) : nil,
            isUnknown: random.chance(0.2),
            isForAll: random.chance(0.2),
            broadcast: random.chance(0.5) ? number(&random) : nil,
            surface: random.chance(0.5) ? number(&random) : nil,
            due: random.chance(0.5) ? number(&random) : nil,
            hasDeliveries: random.chance(0.5),
            endedTokens: numbers(&random),
            erased: numbers(&random),
            hasKeys: random.chance(0.5)
        )
        if !announcement.isForAll {
            for person in numbers(&random) { announcement.own[person] = number(&random) }
        }
        return announcement
    }

    private func merged(_ payloads: [String]) throws -> Announcement {
        try payloads.reduce(into: Announcement()) { all, payload in
            all.merge(try #require(Announcement.read(payload)).announcement)
        }
    }

    @Test(arguments: 1...20) func `payloads in any order, also repeated, equal the announcement`(seed: UInt64) throws {
        var random = Seeded(seed)
        for _ in 0..<5 {
            let announcement = announcement(&random)
            let node = Int.random(in: Announcement.nodes, using: &random)
            let payloads = announcement.payloads(from: node)
            #expect(payloads.allSatisfy { $0.utf8.count <= 7_900 && Announcement.read($0)?.node == node })
            #expect(payloads.isEmpty == announcement.isEmpty)
            #expect(try merged(payloads) == announcement)
            #expect(try merged((payloads + payloads).shuffled(using: &random)) == announcement)
            // Not more payloads than needed: all but the last are nearly full.
            #expect(payloads.dropLast().allSatisfy { $0.utf8.count > 7_840 })
        }
    }

    @Test func `the parts are readable, and the small ones come first`() {
        let announcement = Announcement(
            groups: 7...9,
            isUnknown: true,
            own: [17: 204, 90: 5],
            broadcast: 12,
            surface: 0,
            due: 77,
            hasDeliveries: true,
            endedTokens: [9, 4],
            erased: [8],
            hasKeys: true
        )
        let parts =
            "unknown;deliveries;keys;due:77;broadcast:12;surface:0;tokens:4,9;erased:8;own:17=204,90=5;groups:7-9"
        let payload = "3;\(parts)"
        #expect(announcement.payloads(from: 3) == [payload])
        #expect(Announcement().payloads(from: 3) == [])
        #expect(Announcement(isForAll: true).payloads(from: 255) == ["255;all"])
    }

    @Test func `too many people are announced as all`() throws {
        var announcement = Announcement(surface: 1)
        for person in 0..<2_000 { announcement.own[person * 1_000_000_000] = .max }
        #expect(try merged(announcement.payloads(from: 1)) == announcement)
        announcement.own[1] = 1
        #expect(announcement.payloads(from: 1) == ["1;all;surface:1"])
    }

    @Test func `merging announcements keeps the later sequences, in any order`() {
        var (first, second) = (
            Announcement(groups: 4...5, own: [1: 5, 2: 9], broadcast: 3), Announcement(own: [1: 7, 2: 8], surface: 2)
        )
        first.merge(second)
        #expect(first == Announcement(groups: 4...5, own: [1: 7, 2: 9], broadcast: 3, surface: 2))
        first.merge(Announcement(groups: 6...6))
        #expect(first.groups == 4...6)
        second.merge(Announcement(own: [1: 6], surface: 1))
        #expect(second == Announcement(own: [1: 7, 2: 8], surface: 2))
    }

    @Test func `parts of a newer version are ignored`() throws {
        let payload = "0;deliveries;rates:a=1:2,,é;own:1=2;moved;empty:;surface:4"
        let read = try #require(Announcement.read(payload))
        #expect(read.node == 0)
        #expect(read.announcement == Announcement(own: [1: 2], surface: 4, hasDeliveries: true))
    }

    @Test(
        arguments: [
            "", ";", ";due", "x", "-1", "+1", "256", "01", "1 ", " 1", "1;", "1;;keys", "1;keys;", "1;keys;keys",
            "1;keys:1",
            "1;due", "1;due:", "1;due:-1", "1;due:1,2", "1;all:1", "1;broadcast", "1;broadcast:", "1;broadcast:-1",
            "1;broadcast:+1", "1;broadcast:1,2",
            "1;broadcast:00", "1;broadcast:9223372036854775808", "1;broadcast:99999999999999999999999", "1;surface:1:2",
            "1;surface:١", "1;own", "1;own:", "1;own:1", "1;own:1=", "1;own:=1", "1;own:1=2=3", "1;own:1=2,",
            "1;own:,1=2", "1;own:1=2,1=3", "1;own:1=2;own:3=4", "1;own:1=-2", "1;own:1= 2", "1;tokens:", "1;tokens:1,1",
            "1;tokens:1,", "1;keys:1", "1;unknown:", "1;groups:1", "1;groups:0-1", "1;groups:2-1", "1;groups:1-2-3",
            "1;groups:1-", "1;groups:-1-2", "1;groups", "1;erased:1;erased:2", "1;Due", "1;d ue", "1;новое:1",
            "1;\u{301}due", "1;:1",
            "1;due\n", "\u{FEFF}1;due", "1;own:1=2;broadcast:x",
        ]
    )
    func `a malformed payload is refused as a whole`(payload: String) {
        #expect(Announcement.read(payload) == nil)
    }

    @Test func `damaged payloads are refused, or are still announcements of the same form`() {
        var random = Seeded(7)
        let alphabet = Array("0123456789;:=,abdeklnorstuvwy*-+ é\u{0}".unicodeScalars)
        for _ in 0..<4_000 {
            var announcement = Announcement(
                own: [1: 2],
                isForAll: random.chance(0.2),
                broadcast: random.chance(0.5) ? number(&random) : nil,
                due: random.chance(0.5) ? number(&random) : nil,
                endedTokens: [1, 2],
                hasKeys: random.chance(0.5)
            )
            if random.chance(0.5) { announcement.groups = 3...14 }
            announcement.own[number(&random)] = number(&random)
            guard var scalars = announcement.payloads(from: 9).first.map({ Array($0.unicodeScalars) }) else { continue }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<scalars.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: scalars[place] = alphabet.randomElement(using: &random)!
                case 1: scalars.insert(alphabet.randomElement(using: &random)!, at: place)
                default: if scalars.count > 1 { scalars.remove(at: place) }
                }
            }
            let payload = String(String.UnicodeScalarView(scalars))
            guard let read = Announcement.read(payload) else { continue }
            // What is accepted can be written, and is the same then.
            let again = read.announcement.payloads(from: read.node).map { Announcement.read($0)?.announcement }
            #expect(again == (read.announcement.isEmpty ? [] : [read.announcement]), "\(payload)")
        }
        #expect(Announcement.read("1;x:" + String(repeating: "1", count: 7_896)) != nil)
        #expect(Announcement.read("1;x:" + String(repeating: "1", count: 7_897)) == nil)
    }

    @Test func `a waiting announcement names a limited number of people`() {
        var waiting = Announcement()
        for group in 0..<50 {
            var announcement = Announcement()
            announcement.own = Dictionary(uniqueKeysWithValues: (0..<100).map { (group * 100 + $0, group) })
            waiting.merge(announcement)
            #expect(waiting.own.count <= Announcement.peopleLimit)
            #expect(waiting.isForAll == (group >= 20))
        }
    }

    @Test func `a waiting announcement names a limited number of ended tokens and erasures`() {
        var waiting = Announcement()
        for person in 1...Announcement.peopleLimit {
            waiting.merge(Announcement(WriteEffects(endedTokens: [person], erased: [person])))
        }
        #expect(waiting.endedTokens.count == Announcement.peopleLimit && waiting.erased == waiting.endedTokens)
        #expect(!waiting.isUnknown)
        waiting.merge(Announcement(WriteEffects(endedTokens: [9_999], erased: [9_999])))
        // Those of anyone, and everything is read again.
        #expect(waiting.endedTokens == [0] && waiting.erased.isEmpty && waiting.isUnknown)
    }

    @Test func `PostgreSQL accepts the largest payloads`() async throws {
        var announcement = Announcement()
        for person in 0..<2_000 { announcement.own[.max - person] = .max - person }
        let payloads = announcement.payloads(from: 255)
        #expect(payloads.count > 5)
        let sizes = payloads.map(\.utf8.count)
        let server = try await DatabaseServer.shared.value
        let settings = try server.settings()
        let accepted = try await StorageDatabase.administrate { _ in
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            return try payloads.map { payload in
                try connection.execute("SELECT pg_notify('changes', $1)", [payload]).count
            }
        }
        #expect(accepted == sizes.map { _ in 1 })
    }
}
