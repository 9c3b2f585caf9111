extension Schema {
    static let edited = """
        -- The person's sequence at which what the sender wrote was last new. Null: not known, since it was before this
        -- column.
        ALTER TABLE delivery ADD COLUMN edited INTEGER;
        """
}

extension Schema {
    static let consent = """
        -- Beside the content, which names them: actions on the message are reported only with consent.
        ALTER TABLE message ADD COLUMN consentCategory TEXT;
        ALTER TABLE message ADD COLUMN grantedConsentCategory TEXT;
        UPDATE message SET consentCategory = content ->> '$.consentCategory',
            grantedConsentCategory = content ->> '$.additionalData.consent_category_tracking'
        WHERE instr(content, '"consentCategory"') OR instr(content, '"consent_category_tracking"');

        -- The person's dates that were set without consent: 1 seenAt, 2 readAt, 4 archivedAt, 8 snoozedUntil,
        -- 16 deletedAt.
        ALTER TABLE delivery ADD COLUMN withheld INTEGER NOT NULL DEFAULT 0;
        -- Of earlier ones it isn't known.
        UPDATE delivery SET withheld = 31 WHERE message IN (SELECT id FROM message WHERE consentCategory IS NOT NULL)
            AND coalesce(seenAt, readAt, archivedAt, snoozedUntil, deletedAt) IS NOT NULL;

        -- Whether it is kept for the person's export alone.
        ALTER TABLE event ADD COLUMN isWithheld INTEGER NOT NULL DEFAULT 0;
        """

    static let earlierConsent = """
        -- What an edit took away or replaced: a device that doesn't know of the edit speaks of this one.
        ALTER TABLE message ADD COLUMN earlierConsentCategory TEXT;
        """
}

extension Schema {
    static let setAside = """
        -- What a person has set aside is usually little of an inbox, and has lists of its own.
        CREATE INDEX delivery_archived ON delivery (person, deliverAt, message)
        WHERE state = 1 AND deletedAt IS NULL AND archivedAt IS NOT NULL;
        CREATE INDEX delivery_snoozed ON delivery (person, deliverAt, message, snoozedUntil)
        WHERE state = 1 AND deletedAt IS NULL AND archivedAt IS NULL AND snoozedUntil IS NOT NULL;
        """
}
