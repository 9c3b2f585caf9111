import GRDB
import Hummingbird

extension DatabaseError {
    /// Whether the same may succeed later, once there is room or another process has let go. Nothing was written.
    var isPassing: Bool {
        switch resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY: true
        default: false
        }
    }
}

extension Problem {
    /// - Parameter error: One that is passing.
    init(passing error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"),
                "The server's disk is full. Nothing was stored; try again when there is room.",
                headers: [.retryAfter: "60"]
            )
        default:
            self.init(
                .serviceUnavailable,
                "The server can't write at the moment. Nothing was stored; try again later.",
                headers: [.retryAfter: "10"]
            )
        }
    }
}
