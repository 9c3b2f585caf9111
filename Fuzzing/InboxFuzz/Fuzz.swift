import Foundation
import Groundwork

/// What libFuzzer calls with each input. `INBOX_FUZZ` names the ``Surface``; `scripts/fuzz` runs one after the other.
///
/// An input that traps, hangs or breaks a rule of its surface ends the process, and libFuzzer keeps it in a file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    surface.take(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let surface: any Surface = {
    let name = ProcessInfo.processInfo.environment["INBOX_FUZZ"] ?? ""
    let surfaces: [String: () -> any Surface] = [
        "json": JSONSurface.init, "stream": EventStreamSurface.init, "token": TokenSurface.init,
        "import": ImportSurface.init, "jmap": { RequestSurface(.whole) }, "filter": { RequestSurface(.filter) },
        "reference": { RequestSurface(.reference) },
    ]
    guard let make = surfaces[name] else {
        fatalError("INBOX_FUZZ has to be one of \(surfaces.keys.sorted().joined(separator: ", "))")
    }
    return make()
}()

/// A way in for what strangers make.
protocol Surface: Sendable {
    /// Takes an input, and ends the process where a rule is broken.
    func take(_ bytes: [UInt8])
}

/// Waits for what is asynchronous: libFuzzer gives one input after the other on one thread.
func wait<T: Sendable>(_ body: @escaping @Sendable () async -> T) -> T {
    let result = Locked<T?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        result.withLock { $0 = value }
        done.signal()
    }
    done.wait()
    return result.withLock { $0! }
}

/// Ends the process where a rule doesn't hold, and says which: in an optimised build a precondition says nothing.
func rule(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}
