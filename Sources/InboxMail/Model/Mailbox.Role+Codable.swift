/// As its name: predicates can capture only what can be coded.
extension Mailbox.Role: Codable {
    /// Reads the name.
    ///
    /// - Throws: `DecodingError` for what isn't a text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
