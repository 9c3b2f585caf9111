extension WriteTransaction {
    /// Makes other servers wait before they change a message or process its due entries. From now on, this transaction
    /// reads its latest values.
    func lock(_ message: MessageID) {
        db.lock(
            "SELECT 1 FROM due WHERE kind IN (1, 2) AND message = ? AND person = 0 ORDER BY kind FOR UPDATE",
            [message.rawValue]
        )
        lock([message])
    }

    /// Makes other servers wait before they change messages, or write for those who have them.
    func lock(_ messages: [MessageID]) {
        let ids = messages.map(\.rawValue).sorted()
        db.lock("SELECT 1 FROM message WHERE id = ANY(?) ORDER BY id FOR NO KEY UPDATE", [ids])
        db.lock(
            """
            SELECT 1 FROM (
                SELECT p.id FROM (
                    SELECT DISTINCT d.person AS id FROM unnest(?) AS r (id)
                    CROSS JOIN LATERAL (
                        SELECT m.id FROM message m WHERE m.id = r.id AND m.recipients IS NOT NULL OFFSET 0
                    ) AS m
                    CROSS JOIN LATERAL (
                        SELECT d.person FROM delivery d WHERE d.message = m.id AND d.state < 2 OFFSET 0
                    ) AS d
                ) AS r
                CROSS JOIN LATERAL (SELECT p.id, p.name FROM person p WHERE p.id = r.id OFFSET 0) AS p
                ORDER BY p.name
            ) AS found
            CROSS JOIN LATERAL (SELECT 1 FROM person p WHERE p.id = found.id FOR NO KEY UPDATE) AS locked
            """,
            [ids]
        )
    }
}
