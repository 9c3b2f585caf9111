/// The order in which the pictures of one message are fetched, within its limits.
///
/// A state machine without I/O and without a clock. The maximum size of a picture is reserved while it is fetched, so
/// that the pictures under way never exceed the message's size together.
package struct PictureFetching: Sendable {
    /// A picture to fetch now.
    package struct Start: Hashable, Sendable {
        package let address: String
        /// The maximum size of its response, in bytes.
        package let maxBytes: Int
    }

    private let limits: PictureLimits
    private var waiting: ArraySlice<String>
    /// The bytes that are reserved, by the address of each picture under way.
    private var running: [String: Int] = [:]
    /// The bytes that are neither used nor reserved.
    private var remaining: Int
    /// The time that has passed since the first picture, in seconds.
    private var elapsed: Double = 0

    /// - Parameters:
    ///   - addresses: The pictures to fetch, in their order. Each is there once.
    ///   - used: The size of the message's pictures that are stored, in bytes.
    package init(_ addresses: [String], used: Int = 0, limits: PictureLimits = PictureLimits()) {
        self.limits = limits
        waiting = addresses[...]
        remaining = max(0, limits.messageSize - used)
    }

    /// Whether no picture is under way, so that the fetch has ended if ``next(at:)`` returns nil.
    package var isIdle: Bool { running.isEmpty }

    /// Returns the next picture to fetch at a time in seconds since the first one, or nil if none can begin now.
    ///
    /// It begins with the full size that a picture may have. Only where the message has less than that left, with
    /// nothing under way that could return some, it begins with less.
    package mutating func next(at elapsed: Double) -> Start? {
        self.elapsed = max(self.elapsed, elapsed)
        guard let address = waiting.first, running.count < limits.concurrent, self.elapsed < limits.messageTime,
            remaining > 0, remaining >= limits.pictureSize || running.isEmpty
        else { return nil }
        waiting.removeFirst()
        let size = min(limits.pictureSize, remaining)
        remaining -= size
        running[address] = size
        return Start(address: address, maxBytes: size)
    }

    /// Records that a picture's fetch has ended.
    ///
    /// - Parameter received: The number of bytes received, of whatever kind; nil if it isn't known and counts as all
    ///   that was reserved.
    package mutating func end(_ address: String, received: Int?) {
        guard let reserved = running.removeValue(forKey: address) else { return }
        remaining += reserved - min(reserved, received ?? reserved)
    }
}

/// The limits of fetching the pictures of one message.
package struct PictureLimits: Hashable, Sendable {
    /// The maximum size of a picture, in bytes.
    package var pictureSize = 5 << 20
    /// The maximum size of a message's pictures together, in bytes. Received bytes that aren't a picture count too.
    package var messageSize = 20 << 20
    /// The time for a picture, with its redirects, in seconds.
    package var pictureTime: Double = 10
    /// The time after which no further picture of the message is begun, in seconds.
    package var messageTime: Double = 20
    /// The number of pictures that are fetched at the same time.
    package var concurrent = 4
    /// The number of different addresses of a message from which pictures are fetched.
    package var count = 100
    /// The number of redirects that are followed for a picture.
    package var redirects = 3

    package init() {}
}
