extension Schema {
    static let edited = """
        -- The person's sequence at which what the sender wrote was last new. Null: not known, since it was before this column.
        ALTER TABLE delivery ADD COLUMN edited INTEGER;
        """
}
