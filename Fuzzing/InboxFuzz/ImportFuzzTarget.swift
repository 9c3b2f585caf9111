import Foundation
import Groundwork

@testable import InboxServer
@testable import InboxService

/// Checks that an import from another system is converted to messages or rejected without a trap.
struct ImportFuzzTarget: FuzzTarget {
    func process(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes) else { return }
        for source in ImportSource.allCases {
            _ = try? ImportRequest(
                checking: JSONReader(json),
                from: source,
                now: Date(timeIntervalSince1970: 1_800_000_000)
            )
        }
    }
}
