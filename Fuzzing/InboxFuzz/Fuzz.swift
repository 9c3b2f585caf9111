import Foundation
import Groundwork

/// The function that libFuzzer calls with each input. `INBOX_FUZZ` names the ``FuzzTarget``; `scripts/fuzz` runs them
/// one after the other.
///
/// An input that traps, hangs or violates a rule of its target ends the process, and libFuzzer stores the input in a
/// file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    target.process(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let target: any FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["INBOX_FUZZ"] ?? ""
    let targets: [String: () -> any FuzzTarget] = [
        "json": JSONFuzzTarget.init, "stream": EventStreamFuzzTarget.init, "token": TokenFuzzTarget.init,
        "import": ImportFuzzTarget.init, "html": HTMLFuzzTarget.init, "jmap": { RequestFuzzTarget(.whole) },
        "filter": { RequestFuzzTarget(.filter) },
        "reference": { RequestFuzzTarget(.reference) },
    ]
    guard let make = targets[name] else {
        fatalError("INBOX_FUZZ has to be one of \(targets.keys.sorted().joined(separator: ", "))")
    }
    return make()
}()

/// An entry point for untrusted input.
protocol FuzzTarget: Sendable {
    /// Processes an input, and ends the process if a rule is violated.
    func process(_ bytes: [UInt8])
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
func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}
