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
