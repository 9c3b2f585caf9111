import Foundation
import GRDB
import Replica

extension Database {
    /// Returns the last check of the account; nil without one.
    func heldSendingCheck() throws -> HeldSendingCheck? {
        try setting(HeldSendingCheck.setting).flatMap { text in
            try? JSONDecoder().decode(HeldSendingCheck.self, from: Data(text.utf8))
        }
    }
}

extension StoreWriter {
    func set(_ check: HeldSendingCheck) throws {
        let json = String(decoding: try JSONEncoder().encode(check), as: UTF8.self)
        try set(setting: HeldSendingCheck.setting, to: json)
    }
}
