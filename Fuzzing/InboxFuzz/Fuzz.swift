import Foundation
import Groundwork

/// The function that libFuzzer calls with each input. `INBOX_FUZZ` names the ``Surface``; `scripts/fuzz` runs them one
/// after the other.
///
/// An input that traps, hangs or violates a rule of its surface ends the process, and libFuzzer stores the input in a
/// file.
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

/// An entry point for untrusted input.
protocol Surface: Sendable {
    /// Processes an input, and ends the process if a rule is violated.
    func take(_ bytes: [UInt8])
}

/// Blocks until an asynchronous operation has ended: libFuzzer passes one input after the other on one thread.
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

/// Ends the process with a message if a rule is violated. A precondition has no message in an optimized build.
func rule(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}
