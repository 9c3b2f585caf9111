extension Schema {
    static let newPeople = """
        -- The newest person who sees a message to everyone. Null: also people who come later; 0: none yet, since it
        -- waits for its time.
        ALTER TABLE message ADD COLUMN lastPerson INTEGER;
        """
}

extension PersonInbox {
    /// Returns the condition that a message `m` is a broadcast for a person.
    ///
    /// - Parameter person: The SQL expression for the person's number.
    static func broadcastCondition(for person: String) -> String {
        "m.recipients IS NULL AND (m.lastPerson IS NULL OR m.lastPerson >= \(person))"
    }
}

extension Schema {
    /// The sent messages in the order of the requests: all of them, and those of a campaign.
    static let sent = """
        ALTER TABLE message ADD COLUMN campaign TEXT;       -- the content's campaignId
        UPDATE message SET campaign = content ->> '$.campaignId' WHERE content <> '';
        -- Without the messages that were recalled.
        CREATE INDEX message_sent ON message (state, createdAt) WHERE content <> '';
        CREATE INDEX message_campaign ON message (campaign, state, createdAt)
            WHERE campaign IS NOT NULL AND content <> '';
        """
}
