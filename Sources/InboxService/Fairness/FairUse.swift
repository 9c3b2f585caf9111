/// The limits of one person and of one API key on a server, so that the use of one doesn't slow down the others.
///
/// A legitimate app never reaches a default limit. `Documentation/Limits.md` lists the response beyond each limit.
public struct FairUse: Hashable, Sendable {
    /// The time for which the calls of one JMAP request, or one page, may read from the database in total, in seconds.
    public var readingTime = 2.0
    /// The maximum number of rows in the responses of one JMAP request: ids, records and changes.
    public var rows = 100_000
    /// The maximum size of the response to one JMAP request, in bytes.
    public var responseSize = 16 * 1_048_576
    /// The maximum total size of one person's concurrent requests, and of their responses until they are sent, in
    /// bytes.
    public var personSize = 64 * 1_048_576
    /// The maximum number of one person's requests that read from the database at once. The effective number is lower
    /// than the number of processors and at least 1. Further requests wait.
    public var readers = 2
    /// The maximum number of open event streams per person. A further one ends the oldest.
    public var streams = 20
    /// The rate of requests from one person's devices. Nil for no limit.
    public var personRate: Rate? = Rate(perSecond: 100, burst: 5_000)
    /// The rate of record changes by one person's devices. Nil for no limit.
    public var changeRate: Rate? = Rate(perSecond: 500, burst: 50_000)
    /// The rate of requests with one API key. Nil for no limit.
    public var keyRate: Rate? = Rate(perSecond: 20_000, burst: 100_000)
    /// The maximum number of stored events per person. They are kept for 90 days. Further events are rejected.
    public var events = 100_000
    /// The maximum total size of those events' data, in bytes.
    public var eventSize = 64 * 1_048_576
    /// The number of a person's device epochs whose latest response is kept, for repeated batches. The oldest are
    /// deleted beyond it.
    public var epochs = 64
    /// The maximum number of files per person, each of which is kept for a day. The oldest are deleted beyond it.
    public var files = 1_000
    /// The maximum total size of those files, in bytes.
    public var fileSize = 100_000_000
    /// Whether the limits of reads are enforced. They are off only in a benchmark that measures their cost.
    package var enforcesReadLimits = true

    /// Creates the default limits.
    public init() {}

    /// A rate limit: a sustained rate per second, and a burst after a pause.
    public struct Rate: Hashable, Sendable {
        /// The sustained number per second. More than 0.
        public var perSecond: Double
        /// The number that is allowed at once after a pause.
        public var burst: Int

        /// Creates a rate.
        ///
        /// - Parameters:
        ///   - perSecond: The sustained number per second. More than 0.
        ///   - burst: The number that is allowed at once after a pause.
        public init(perSecond: Double, burst: Int) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }
}
