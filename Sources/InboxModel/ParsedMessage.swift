import Groundwork

/// The contents of a message's JSON object, apart from its id and its dates: the parser of messages, whether they are
/// whole or those of a list.
///
/// Members that are missing or of another type get their defaults. The first of repeated members counts.
struct ParsedMessage {
    private(set) var surface: String?
    private(set) var title = ""
    private(set) var body = ""
    private(set) var category: String?
    private(set) var groupKey: String?
    private(set) var priority = 0
    private(set) var isPinned = false
    private(set) var details = MessageDetails()

    /// The members that aren't details.
    private static let names: [StaticString] = [
        "title", "body", "category", "pinned", "surface", "groupKey", "priority",
    ]
    /// All members, and those that a list of cards needs.
    static let allNames = MessageDetails.names + names, cardNames = MessageDetails.cardNames + names

    /// Reads a message's JSON text. Text that isn't JSON has the members before the error.
    ///
    /// - Parameter names: The members to read: ``allNames`` or ``cardNames``.
    init(text: UnsafeBufferPointer<UInt8>, names: [StaticString]) {
        var scanner = JSONScanner(text)
        var members = JSONMembers(names)
        let detailCount = names.count - Self.names.count
        do {
            while let index = try members.next(&scanner) {
                switch index - detailCount {
                case 0: title = try scanner.stringValue() ?? ""
                case 1: body = try scanner.stringValue() ?? ""
                case 2: category = try scanner.stringValue()
                case 3: isPinned = try JSON(reading: &scanner).boolValue ?? false
                case 4: surface = try scanner.stringValue()
                case 5: groupKey = try scanner.stringValue()
                case 6: priority = try JSON(reading: &scanner).intValue ?? 0
                default: try details.readMember(index, &scanner)
                }
            }
        } catch {
            // The text was validated when it was sent.
        }
    }
}
