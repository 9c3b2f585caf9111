extension Schema {
    static let events = """
        -- People's events, as their devices reported them.
        CREATE TABLE event (
            person INTEGER NOT NULL REFERENCES person (id),
            uid TEXT NOT NULL,                -- the device's
            message INTEGER NOT NULL REFERENCES message (id),
            type TEXT NOT NULL,
            action TEXT,
            at INTEGER NOT NULL,
            data TEXT,                        -- a JSON object
            receivedAt INTEGER NOT NULL,
            PRIMARY KEY (person, uid)
        ) WITHOUT ROWID;
        CREATE INDEX event_receivedAt ON event (receivedAt);

        -- How far each person has come with a message. A row is made when a device first does something with it.
        CREATE TABLE reach (
            message INTEGER NOT NULL REFERENCES message (id),
            person INTEGER NOT NULL REFERENCES person (id),
            reach INTEGER NOT NULL,           -- 1 delivered, 2 seen, 3 read, 4 clicked; never less than it was
            PRIMARY KEY (message, person)
        ) WITHOUT ROWID;
        CREATE INDEX reach_person ON reach (person);

        -- How many people have come so far, and further. No row while there are none.
        CREATE TABLE figure (
            message INTEGER PRIMARY KEY REFERENCES message (id),
            delivered INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            read INTEGER NOT NULL,
            clicked INTEGER NOT NULL
        );

        -- How often each action of a message was clicked.
        CREATE TABLE actionFigure (
            message INTEGER NOT NULL REFERENCES message (id),
            action TEXT NOT NULL,
            clicks INTEGER NOT NULL,
            PRIMARY KEY (message, action)
        ) WITHOUT ROWID;
        """
}
