import Groundwork
import InboxModel
import JMAP

/// What the server has to have heard of the person's clicks: each once, those of a device in the order in which they
/// happened.
struct EventLedger {
    /// A click: which device's, and the how manieth.
    struct Click: Hashable, Comparable, CustomStringConvertible {
        static let deviceKey = "device", numberKey = "number"

        let device: String
        let number: Int

        var data: [String: EventValue] {
            [Self.deviceKey: .string(device), Self.numberKey: .number(Double(number))]
        }

        var description: String { "\(device)'s click \(number)" }

        init(device: String, number: Int) {
            (self.device, self.number) = (device, number)
        }

        /// - Returns: Nil where the data isn't a click's.
        init?(_ data: JSON?) {
            guard let device = data?[Self.deviceKey]?.stringValue, let number = data?[Self.numberKey]?.intValue else {
                return nil
            }
            self.init(device: device, number: number)
        }

        static func < (one: Click, other: Click) -> Bool { (one.device, one.number) < (other.device, other.number) }
    }

    /// The clicks that a device has stored.
    private(set) var told: Set<Click> = []
    /// Those that went with a sign-out before the server had taken them.
    private(set) var lost: Set<Click> = []
    private(set) var taken: Set<Click> = []
    private(set) var refused: Set<Click> = []
    /// The last that the server took at once, by device.
    private var last: [String: Int] = [:]
    /// What was wrong with an event that came.
    private(set) var faults: [String] = []

    mutating func tell(_ click: Click) { told.insert(click) }

    /// The person has signed out on a device: what wasn't told may be lost.
    mutating func lose(_ device: String) {
        lost.formUnion(told.filter { $0.device == device }.subtracting(taken).subtracting(refused))
    }

    /// Takes a request's events and what the server said of them.
    mutating func take(_ request: JSON, _ response: JSON) {
        let set = "\(MessageCapability.eventType)/set"
        func arguments(_ json: JSON, _ name: String) -> JSON? {
            json[name]?.arrayValue?.compactMap(\.arrayValue).first { $0[0] == .string(set) }?[1]
        }
        guard let create = arguments(request, "methodCalls")?["create"]?.objectValue,
            let answer = arguments(response, "methodResponses")
        else { return }
        for creation in create.members {
            guard let click = Click(creation.value["data"]) else { continue }
            if !told.contains(click) { faults.append("\(click) was sent, and never happened") }
            if answer["created"]?[creation.name] != nil {
                // One that was refused is sent again where the answer was lost, and taken where its message has been
                // delivered meanwhile.
                if taken.insert(click).inserted, refused.remove(click) == nil { follow(click) }
            } else if answer["notCreated"]?[creation.name] != nil, refused.insert(click).inserted {
                if taken.contains(click) { faults.append("\(click) was taken, and then refused") }
            }
        }
    }

    private mutating func follow(_ click: Click) {
        if click.number <= last[click.device] ?? 0 { faults.append("\(click) came after a later one") }
        last[click.device] = click.number
    }
}
