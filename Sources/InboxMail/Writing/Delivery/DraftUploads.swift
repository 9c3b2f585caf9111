import Groundwork

/// The uploads of drafts' files that this process has under way. They are lost with it.
final class DraftUploads: Sendable {
    /// The fractions of bytes that are sent, from 0 to 1, by draft and by file.
    typealias Fractions = [String: [String: Double]]

    let fractions = LatestValue<Fractions>([:])
    // Guarded by the lock, which also keeps the order of the values: the transport reports from any thread.
    private let current = Locked(Fractions())

    /// Runs the upload of a file, and reports its progress until ``end(_:of:)``.
    func report<T>(
        _ file: String,
        of draft: String,
        size: Int,
        isolation: isolated (any Actor)? = #isolation,
        _ upload: () async throws -> T
    ) async throws -> T {
        set(0, file, of: draft)
        return try await SendProgress.$listener.withValue(
            SendProgress { [weak self] sent in
                // Each percent is reported once.
                let hundredths = size == 0 ? 0 : min(100, sent * 100 / size)
                self?.set(Double(hundredths) / 100, file, of: draft, ifUnderWay: true)
            },
            operation: upload
        )
    }

    /// Ends the progress of a file, whose upload has succeeded or failed.
    func end(_ file: String, of draft: String) { set(nil, file, of: draft) }

    func finish() { fractions.finish() }

    /// Sets the sent fraction of a file; nil ends its upload.
    ///
    /// - Parameter ifUnderWay: Whether nothing is set once the upload has ended: reports may arrive late.
    private func set(_ fraction: Double?, _ file: String, of draft: String, ifUnderWay: Bool = false) {
        current.withLock { current in
            if ifUnderWay, current[draft]?[file] == nil { return }
            current[draft, default: [:]][file] = fraction
            if current[draft]?.isEmpty ?? false { current[draft] = nil }
            fractions.set(current)
        }
    }
}
