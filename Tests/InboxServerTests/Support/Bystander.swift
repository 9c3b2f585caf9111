import Foundation
import Groundwork
import Testing

/// A counter of the hostile inputs that a test has sent.
enum AttemptCounter {
    @TaskLocal static var count: Locked<Int>?

    static func add(_ number: Int = 1) { count?.withLock { $0 += number } }
}

/// A person who reads their inbox repeatedly, without the cache, during an attack by another.
struct Bystander {
    private let reading: Task<[Double], any Error>

    /// The effect of the attack on the person.
    struct Cost: CustomStringConvertible {
        /// The durations of the reads, in seconds, in ascending order.
        let times: [Double]

        var description: String {
            func text(_ seconds: Double?) -> String { "\(Int(((seconds ?? 0) * 1_000).rounded(.up))) ms" }
            return "meanwhile another person read: \(times.count) times, all answered, half of them within "
                + "\(text(times.dropFirst(times.count / 2).first)), the slowest in \(text(times.last))"
        }
    }

    init(_ device: Device) {
        reading = Task {
            var times: [Double] = []
            repeat {
                let start = ContinuousClock.now
                let ids = try await device.ids(["limit": JSON(1_000 + times.count)])
                #expect(ids.count == 1)
                times.append((ContinuousClock.now - start) / .seconds(1))
                try? await Task.sleep(for: .milliseconds(100))
            } while !Task.isCancelled
            return times.sorted()
        }
    }

    func end() async throws -> Cost {
        reading.cancel()
        return Cost(times: try await reading.value)
    }
}
