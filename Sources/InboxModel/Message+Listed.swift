package import Foundation
import Groundwork

extension Message {
    private static let listedNames: [StaticString] =
        MessageDetails.cardNames + ["title", "body", "category", "pinned", "surface", "groupKey", "priority"]

    /// Creates a message for a list. What a card shows is decoded at once, the rest on access. The only dates are the
    /// two parameters.
    ///
    /// - Parameter content: The sender's JSON object, in UTF-8. It is read as leniently as by ``init(json:)``, and of
    ///   repeated members the first counts.
    package init(id: String, deliverAt: Date, readAt: Date?, content: UnsafeRawBufferPointer) {
        let text = content.bindMemory(to: UInt8.self)
        var details = MessageDetails()
        var (title, body, surface): (String?, String?, String?)
        var (category, groupKey): (String?, String?)
        var (pinned, priority): (Bool?, Int?)
        var scanner = JSONScanner(text)
        var members = JSONMembers(Self.listedNames)
        do {
            while let index = try members.next(&scanner) {
                switch index - MessageDetails.cardNames.count {
                case 0: title = try scanner.stringValue()
                case 1: body = try scanner.stringValue()
                case 2: category = try scanner.stringValue()
                case 3: pinned = try JSON(reading: &scanner).boolValue
                case 4: surface = try scanner.stringValue()
                case 5: groupKey = try scanner.stringValue()
                case 6: priority = try JSON(reading: &scanner).intValue
                default: try details.readMember(index, &scanner)
                }
            }
        } catch {
            // The content was validated when it was sent. If it can't be read further, the message has the members
            // before the error.
        }
        self.init(
            id: id,
            surface: surface ?? Message.defaultSurface,
            title: title ?? "",
            body: body ?? "",
            category: category,
            groupKey: groupKey,
            priority: priority ?? 0,
            isPinned: pinned ?? false,
            deliverAt: deliverAt,
            expiresAt: nil,
            details: .listed(card: details, text: Array(text))
        )
        self.readAt = readAt
    }
}
