import Postgres
import SeededRandom
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct PersonPartitionTests {
    /// Numbers at the ends of ranges, small ones, and random ones of each length.
    private static let numbers: [Int] = {
        var random = Seeded(64)
        let powers = (0..<63).map { 1 << $0 }
        let edges: [Int] = powers.flatMap { power in [power - 1, power, power + 1].flatMap { [$0, -$0] } }
        let ends: [Int] = [Int.min, Int.min + 1, Int.max - 1, Int.max]
        let any: [Int] = (0..<4_000).map { Int.random(in: Int.min...Int.max, using: &random) >> ($0 % 63) }
        return ends + edges + Array(-500...4_000) + any
    }()

    @Test func `a person's partition is the one in which PostgreSQL has the person's rows`() async throws {
        let numbers = Self.numbers
        let partitions = numbers.map { PersonPartition(of: $0).number }
        #expect(Set(partitions) == Set(0..<64))
        let others = try await StorageDatabase.migrated.value.0.use { connection in
            try connection.execute(
                """
                SELECT person FROM unnest($1, $2) AS sample (person, number)
                WHERE NOT satisfies_hash_partition('delivery'::regclass, 64, number::integer, person)
                """,
                [numbers, partitions]
            ).map { try $0[0] as Int }
        }
        #expect(others == [])
    }
}
