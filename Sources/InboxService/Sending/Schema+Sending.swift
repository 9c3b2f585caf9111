extension Schema {
    static let newPeople = """
        -- The newest person who sees a message to everyone. Null: also people who come later; 0: none yet, since it waits for its time.
        ALTER TABLE message ADD COLUMN lastPerson INTEGER;
        """
}

extension PersonInbox {
    /// Whether a message `m` to everyone is for a person.
    ///
    /// - Parameter person: What stands for the person's number in the statement.
    static func isForEveryone(including person: String) -> String {
        "m.recipients IS NULL AND (m.lastPerson IS NULL OR m.lastPerson >= \(person))"
    }
}

extension Schema {
    /// What was sent, in the order of the requests: of all, and of a campaign.
    static let sent = """
        ALTER TABLE message ADD COLUMN campaign TEXT;       -- the content's campaignId
        UPDATE message SET campaign = content ->> '$.campaignId' WHERE content <> '';
        -- Without the messages that were recalled.
        CREATE INDEX message_sent ON message (state, createdAt) WHERE content <> '';
        CREATE INDEX message_campaign ON message (campaign, state, createdAt)
            WHERE campaign IS NOT NULL AND content <> '';
        """
}
