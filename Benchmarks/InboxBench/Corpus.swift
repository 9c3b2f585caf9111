import Foundation
import Groundwork
import InboxModel

/// Messages as an app might send them, identical in each run. They have different lengths; some have buttons and
/// pictures.
enum Corpus {
    /// Returns a sender's content, without the properties that the server adds.
    static func content(_ number: Int) -> JSONObject {
        let topic = topics[number % topics.count]
        var object = JSONObject([
            ("surface", number % 5 == 0 ? "offers" : .string(Message.defaultSurface)),
            ("title", .string("\(topic.title) \(number)")),
            ("body", .string(Array(repeating: topic.sentence, count: 1 + number % 3).joined(separator: " "))),
            ("category", .string(topic.category)),
        ])
        if number % 4 == 0 { object.add("groupKey", .string("thread-\(number / 40)")) }
        if number % 50 == 0 { object.add("pinned", true) }
        if number % 3 == 0 {
            object.add("media", ["url": .string("https://images.example/\(number).jpg"), "alt": "A picture of it"])
        }
        object.add(
            "actions",
            [
                [
                    "id": "open", "text": "Open", "value": "open",
                    "link": .string("https://shop.example/items/\(number)"),
                    "actionType": "webBrowser",
                ]
            ]
        )
        object.add("templateId", "standard")
        object.add("additionalData", ["order": .string(String(100_000 + number)), "source": "benchmark"] as JSON)
        return object
    }

    /// Returns a message as the server sends it to a device. A higher number is newer; two of five messages are read.
    static func record(_ number: Int) -> JSONObject {
        var object = content(number)
        let delivered = earliest + number * 61_037
        func date(_ milliseconds: Int) -> JSON { .string(RFC3339.string(from: Date(milliseconds: milliseconds))) }
        object.add("id", .string(id(number)))
        object.add("deliverAt", date(delivered))
        if number % 10 == 0 { object.add("expiresAt", date(delivered + 3_650 * 86_400_000)) }
        let isRead = number % 5 < 2
        for field in MessageField.personal {
            let isSet = isRead && (field == .seenAt || field == .readAt)
            object.add(field.rawValue, isSet ? date(delivered + 3_600_123) : .null)
        }
        return object
    }

    static func id(_ number: Int) -> String {
        let digits = String(number, radix: 32)
        return "m" + String(repeating: "0", count: 13 - digits.count) + digits
    }

    /// Returns whether the record with the given number is unread.
    static func isUnread(_ number: Int) -> Bool { number % 5 >= 2 }

    /// Returns the response to a JMAP request for messages, as text.
    static func answer(_ count: Int) -> [UInt8] {
        let list = (0..<count).map { JSON.object(record($0)) }
        let answer: JSON = [
            "methodResponses": [
                [
                    "InboxMessage/get",
                    ["accountId": "a", "state": .string("\(count)-0"), "list": .array(list), "notFound": []],
                    "records",
                ]
            ],
            "sessionState": "1",
        ]
        return answer.utf8
    }

    // 2026-01-01T00:00:00Z.
    private static let earliest = 1_767_225_600_000

    private static let topics: [(title: String, sentence: String, category: String)] = [
        ("Your parcel is on its way", "It arrives tomorrow between 9 and 12; please be at home.", "orders"),
        ("Price drop", "Something on your list costs a fifth less until Sunday evening.", "offers"),
        ("Ihre Rechnung", "Die Rechnung für März liegt bereit; sie ist in 14 Tagen fällig, wie üblich.", "billing"),
        ("New sign-in", "Your account was used on a device that we haven't seen before.", "security"),
        ("お荷物を発送しました", "明日の午前中に届く予定です。", "orders"),
        ("What's new in spring", "Four things that you asked for are here, and one surprise.", "news"),
    ]
}
