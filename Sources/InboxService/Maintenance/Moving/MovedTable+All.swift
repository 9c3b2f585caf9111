#if PostgreSQL
    extension MovedTable {
        /// All tables, in the order in which they are moved: a row comes after those that it refers to, except for the
        /// outbox, whose triggers on SQLite would count its rows in a webhook that is there already.
        static let all = settings + people + inboxes + events + webhooks

        private static let settings = [
            MovedTable("setting", key: [.text("name")], [.bytes("value")]),
            MovedTable("counter", key: [.text("name")], [.integer("value")]),
            MovedTable(
                "apiKey",
                key: [.integer("id")],
                [
                    .text("name"), .bytes("hash"), .integer("createdAt"), .text("scopes"), .integer("expiresAt"),
                    .integer("lastUsedAt"), .integer("revokedAt"),
                ]
            ),
            MovedTable(
                "idempotency",
                key: [.integer("apiKey"), .text("key")],
                [.bytes("bodyHash"), .small("status"), .text("response"), .integer("at")]
            ).large,
            MovedTable("formerTokenKey", key: [.bytes("hash")], [.bytes("secret"), .integer("endsAt")]),
            MovedTable("tokenEnd", key: [.text("personName")], [.integer("at"), .integer("start")]),
            MovedTable("endedToken", key: [.bytes("token")], [.text("personName"), .integer("expiresAt")]),
            MovedTable(
                "surface",
                key: [.text("id")],
                [.text("settings"), .integer("created"), .integer("sequence")]
            ).large,
            MovedTable("destroyedSurface", key: [.text("id")], [.integer("created"), .integer("sequence")]),
        ]

        private static let people = [
            MovedTable(
                "person",
                key: [.integer("id")],
                [.text("name"), .text("account"), .integer("sequence"), .integer("createdAt")]
            ),
            // Where PostgreSQL finds a person. SQLite has indexes for it.
            MovedTable(
                "personName",
                key: [.text("name")],
                [MovedColumn("person", .integer, sqlite: "id")],
                sqlite: "person"
            ),
            MovedTable(
                "personAccount",
                key: [.text("account")],
                [MovedColumn("person", .integer, sqlite: "id")],
                sqlite: "person"
            ),
            MovedTable("attributes", key: [.integer("person")], [.text("value")]).large,
            // The numbers are the order of the uploads.
            MovedTable(
                "blob",
                key: [MovedColumn("number", .integer, sqlite: "rowid")],
                [.integer("person"), .bytes("hash"), .integer("size"), .integer("at"), .bytes("content")]
            ).fetched(1),
            MovedTable(
                "erasure",
                key: [.text("id")],
                [.bytes("personHash"), .integer("at"), .text("removed"), .integer("start")]
            ),
        ]

        private static let inboxes = [
            MovedTable(
                "message",
                key: [.integer("id")],
                [
                    .text("content"), .text("surface"), .text("category"), .text("groupKey"), .integer("deliverAt"),
                    .integer("expiresAt"), .integer("createdAt"), .integer("recipients"), .small("state"),
                    .integer("broadcastCreated"), .integer("broadcastSequence"), .integer("lastPerson"),
                    .text("campaign"), .text("consentCategory"), .text("grantedConsentCategory"),
                    .text("earlierConsentCategory"),
                ]
            ).large,
            MovedTable(
                "delivery",
                key: [.integer("message"), .integer("person")],
                [
                    .integer("created"), .integer("sequence"), .integer("deliverAt"), .small("state"),
                    .integer("seenAt"), .integer("readAt"), .integer("archivedAt"), .integer("snoozedUntil"),
                    .integer("deletedAt"), .integer("edited"), .small("withheld"),
                ]
            ),
            MovedTable("due", key: [.small("kind"), .integer("message"), .integer("person")], [.integer("at")]),
            MovedTable(
                "batch",
                key: [.integer("person"), .text("epoch")],
                [.integer("number"), .text("outcome"), .integer("at")]
            ).large,
            MovedTable(
                "imported",
                key: [.integer("message")],
                [.integer("person"), .text("source"), .text("externalId")]
            ),
        ]

        private static let events = [
            MovedTable(
                "event",
                key: [.integer("person"), .text("uid")],
                [
                    .integer("message"), .text("type"), .text("action"), .integer("at"), .text("data"),
                    .integer("receivedAt"), .flag("isWithheld"),
                ]
            ).large,
            MovedTable("reach", key: [.integer("message"), .integer("person")], [.small("reach")]),
            MovedTable(
                "figure",
                key: [.integer("message")],
                ["delivered", "seen", "read", "clicked"].map { .integer($0).computed("sum(t.\"\($0)\")::bigint") }
            ).grouped,
            MovedTable(
                "actionFigure",
                key: [.integer("message"), .text("action")],
                [.integer("clicks").computed("sum(t.clicks)::bigint")]
            ).grouped,
            // A count in several slots is moved as their sum, in the entry of the first slot.
            MovedTable(
                "audit",
                key: [.integer("id")],
                [
                    .integer("uid"), .integer("at"), .text("kind"), .integer("apiKey"), .text("personName"),
                    .text("erasure"), .text("reason"),
                    .integer("count").computed(
                        "CASE WHEN t.count IS NOT NULL THEN (SELECT sum(s.count)::bigint FROM audit s WHERE "
                            + "\(sameCount)) END"
                    ),
                    .text("detail"),
                ]
            ).only("(t.count IS NULL OR NOT EXISTS (SELECT FROM audit s WHERE \(sameCount) AND s.slot < t.slot))")
                .large,
        ]

        private static let sameCount =
            "s.kind = t.kind AND s.reason = t.reason AND s.at = t.at AND s.count IS NOT NULL"

        private static let webhooks = [
            MovedTable(
                "outbox",
                key: [.integer("id")],
                [
                    .integer("webhook"), .text("event"), .integer("person"), .text("type"), .text("body"),
                    .integer("createdAt"), .integer("attempts"), .integer("nextAt"), .integer("diedAt"),
                    .text("reason"),
                ]
            ).large,
            // PostgreSQL counts the outbox by slots, with triggers.
            MovedTable(
                "webhook",
                key: [.integer("id")],
                [
                    .text("url"), .text("types"), .flag("isEnabled"), .flag("isGone"), .bytes("secret"),
                    .bytes("earlierSecret"), .integer("earlierUntil"), .integer("pausedUntil"), .integer("createdAt"),
                ]
                    + ["pending", "dead"].map { name in
                        .integer(name).computed(
                            "(SELECT coalesce(sum(c.\(name)), 0)::bigint FROM webhookCount c WHERE c.webhook = t.id)",
                            isStored: false
                        )
                    }
            ),
        ]
    }
#endif
