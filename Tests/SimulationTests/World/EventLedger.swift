import Groundwork
import InboxModel
import JMAP

/// The clicks that the server must have received: each once, in order for each device.
struct EventLedger {
    /// A click, identified by its device and its number.
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

        /// - Returns: Nil if the data isn't a click's.
        init?(_ data: JSON?) {
            guard let device = data?[Self.deviceKey]?.stringValue, let number = data?[Self.numberKey]?.intValue else {
                return nil
            }
            self.init(device: device, number: number)
        }

        static func < (one: Click, other: Click) -> Bool { (one.device, one.number) < (other.device, other.number) }
    }

    /// The clicks that a device has stored.
    private(set) var tracked: Set<Click> = []
    /// The clicks that a sign-out deleted before the server had accepted them.
    private(set) var lost: Set<Click> = []
    private(set) var accepted: Set<Click> = []
    private(set) var refused: Set<Click> = []
    /// The last accepted click of each device.
    private var last: [String: Int] = [:]
    /// The problems with received events.
    private(set) var faults: [String] = []

    mutating func track(_ click: Click) { tracked.insert(click) }

    /// Records a sign-out on a device. Clicks that weren't sent may be lost.
    mutating func recordSignOut(on device: String) {
        lost.formUnion(tracked.filter { $0.device == device }.subtracting(accepted).subtracting(refused))
    }

    /// Applies a request's events and the server's answer.
    mutating func apply(_ request: JSON, _ response: JSON) {
        let set = "\(MessageCapability.eventType)/set"
        func arguments(_ json: JSON, _ name: String) -> JSON? {
            json[name]?.arrayValue?.compactMap(\.arrayValue).first { $0[0] == .string(set) }?[1]
        }
        guard let create = arguments(request, "methodCalls")?["create"]?.objectValue,
            let answer = arguments(response, "methodResponses")
        else { return }
        for creation in create.members {
            guard let click = Click(creation.value["data"]) else { continue }
            if !tracked.contains(click) { faults.append("\(click) was sent but never tracked") }
            if answer["created"]?[creation.name] != nil {
                // A refused click is sent again after a lost answer. It is accepted if its message has been delivered
                // meanwhile.
                if accepted.insert(click).inserted, refused.remove(click) == nil { checkOrder(of: click) }
            } else if answer["notCreated"]?[creation.name] != nil, refused.insert(click).inserted {
                if accepted.contains(click) { faults.append("\(click) was accepted and then refused") }
            }
        }
    }

    private mutating func checkOrder(of click: Click) {
        if click.number <= last[click.device] ?? 0 { faults.append("\(click) arrived after a later one") }
        last[click.device] = click.number
    }
}
