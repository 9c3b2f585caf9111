/// A statement with its parameters, `$1`, `$2`, ….
package struct PostgresStatement: Sendable {
    /// The text.
    package let sql: String
    /// The values of `$1`, `$2`, ….
    package let parameters: [any PostgresEncodable]
    /// Whether it is prepared under a name and kept, on connections without a pooler. False for a text that won't come
    /// again.
    package let isPrepared: Bool
    /// The effect on the transaction.
    let effect: Effect

    /// An effect on the transaction.
    enum Effect {
        case none, begin, commit, rollback
        /// It sets up the transaction or a savepoint, and has no result of interest.
        case control
    }

    /// Creates a statement. Its effect follows from the first word.
    package init(_ sql: String, _ parameters: [any PostgresEncodable] = [], isPrepared: Bool = true) {
        self.init(sql, parameters, isPrepared: isPrepared, effect: Self.effect(of: sql))
    }

    init(_ sql: String, _ parameters: [any PostgresEncodable], isPrepared: Bool, effect: Effect) {
        self.sql = sql
        self.parameters = parameters
        self.isPrepared = isPrepared
        self.effect = effect
    }

    /// Returns a statement that sets a parameter of the server until the transaction ends, such as `statement_timeout`.
    package static func setLocal(_ name: String, _ value: String) -> PostgresStatement {
        // `SET LOCAL` takes no parameters.
        PostgresStatement("SELECT set_config($1, $2, true)", [name, value], isPrepared: true, effect: .control)
    }

    /// Returns the setting with which the database itself ends a statement, a second after the client would have
    /// cancelled it: a client that was stopped, or that can't be reached, cancels nothing.
    package static func timeLimit(_ limit: Duration) -> (name: String, value: String) {
        let (seconds, attoseconds) = (max(limit, .zero) + .seconds(1)).components
        return ("statement_timeout", "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms")
    }

    /// Returns a statement that sets several parameters, in their order. There is at least one.
    package static func setLocal(_ settings: [(name: String, value: String)]) -> PostgresStatement {
        set(settings, isLocal: true)
    }

    /// Returns a statement that sets parameters of the server until the transaction or the session ends.
    static func set(_ settings: [(name: String, value: String)], isLocal: Bool) -> PostgresStatement {
        let calls = settings.indices.map { "set_config($\(2 * $0 + 1), $\(2 * $0 + 2), \(isLocal))" }
        return PostgresStatement(
            "SELECT " + calls.joined(separator: ", "),
            settings.flatMap { [$0.name, $0.value] },
            isPrepared: true,
            effect: .control
        )
    }

    /// Returns a statement that sets up the transaction or a savepoint.
    static func control(_ sql: String) -> PostgresStatement {
        PostgresStatement(sql, [], isPrepared: false, effect: .control)
    }

    private static func effect(of sql: String) -> Effect {
        switch sql.prefix(8).uppercased().prefix(while: \.isLetter) {
        case "BEGIN", "START": .begin
        case "COMMIT", "END": .commit
        case "ROLLBACK" where !sql.uppercased().contains(" TO "), "ABORT": .rollback
        default: .none
        }
    }
}
