import Groundwork

extension WriteTransaction {
    /// Creates a person with a new number, which no erased person has had.
    ///
    /// - Parameter name: The id of a person who is unknown to this transaction.
    /// - Returns: The new person's number. Nil if another server has just created the person.
    func insertPerson(named name: String, sequence: Int = 0) throws -> Int? {
        try db.inserted(Self.insertedPerson, [name, newAccountID(), sequence, now.milliseconds])
    }

    /// Creates people, as far as they don't exist.
    ///
    /// - Parameter names: The ids of people who are unknown to this transaction.
    func insertPeople(named names: [String]) throws {
        #if PostgreSQL
            if case .postgres(let transaction) = db {
                return transaction.enqueue(insertion(ofPeople: names))
            }
        #endif
        for name in names { _ = try insertPerson(named: name) }
    }

    #if PostgreSQL
        /// Returns the statement that creates people, as far as they don't exist.
        func insertion(ofPeople names: [String]) -> PostgresTransaction.Statement {
            .init(Self.insertedPeople, [names, names.map { _ in newAccountID() }, now.milliseconds])
        }
    #endif

    private static let insertedPerson = SQLText(
        sqlite: """
            INSERT INTO person (id, name, account, sequence, createdAt)
            SELECT 1 + max(value, coalesce((SELECT max(id) FROM person), 0)), ?, ?, ?, ?
            FROM counter WHERE name = 'erasedPerson'
            """,
        postgres: """
            WITH new AS (
                INSERT INTO personName (name, person) VALUES (?1, nextval('personNumber'))
                ON CONFLICT (name) DO NOTHING RETURNING person
            ), account AS (INSERT INTO personAccount (account, person) SELECT ?2, person FROM new)
            INSERT INTO person (id, name, account, sequence, createdAt) SELECT person, ?1, ?2, ?3, ?4 FROM new
            RETURNING id
            """
    )

    private static let insertedPeople: SQLText = """
        WITH requested AS (SELECT * FROM unnest(?1, ?2) AS r (name, account)), new AS (
            INSERT INTO personName (name, person) SELECT name, nextval('personNumber') FROM requested
            ORDER BY name COLLATE "C"
            ON CONFLICT (name) DO NOTHING RETURNING name, person
        ), created AS (SELECT n.person, n.name, r.account FROM new n JOIN requested r ON r.name = n.name),
        accounts AS (INSERT INTO personAccount (account, person) SELECT account, person FROM created)
        INSERT INTO person (id, name, account, sequence, createdAt) SELECT person, name, account, 0, ?3 FROM created
        """

    /// Returns a new JMAP account id, an opaque text with 128 random bits.
    private func newAccountID() -> String {
        let digits = [random.next(), random.next()].map { value in
            let text = String(value, radix: 32)
            return String(repeating: "0", count: 13 - text.count) + text
        }
        return "a" + digits.joined()
    }
}
