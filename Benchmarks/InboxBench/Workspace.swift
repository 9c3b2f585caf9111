import Foundation

/// A folder for all files of a run, which is removed at its end.
struct Workspace: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("inbox-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Creates a new folder within the workspace.
    func subfolder(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent("\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}

/// The reason why a benchmark failed. It isn't measured then.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Returns the duration of a piece of work, in seconds.
func seconds<Result>(_ body: () throws -> Result) rethrows -> Double {
    let start = ContinuousClock.now
    withExtendedLifetime(try body()) {}
    return (ContinuousClock.now - start).seconds
}

/// Returns the duration of a piece of work, in seconds.
func seconds<Result>(_ body: () async throws -> Result) async rethrows -> Double {
    let start = ContinuousClock.now
    withExtendedLifetime(try await body()) {}
    return (ContinuousClock.now - start).seconds
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
