/// The limits of one person and of one API key on a server, so that one's use doesn't slow down the others.
///
/// No honest app meets a default. `Documentation/Limits.md` says what is answered past each of them.
public struct FairUse: Hashable, Sendable {
    /// How long the calls of one JMAP request, or one page, may read from the database together, in seconds.
    public var readingTime = 2.0
    /// How many rows the answers of one JMAP request may have together: ids, records, changes.
    public var rows = 100_000
    /// How many bytes the answer of one JMAP request may have.
    public var answerSize = 16 * 1_048_576
    /// How many bytes all requests of one person, and their answers until they are sent, may have at once.
    public var personSize = 64 * 1_048_576
    /// How many of one person's requests read from the database at once. It is always less than the number of
    /// processors, and at least one. Further requests wait.
    public var readers = 2
    /// How many event streams of one person may be open. The oldest ends where there is one more.
    public var streams = 20
    /// How many requests one person's devices may send. Nil for any number.
    public var personRate: Rate? = Rate(perSecond: 100, burst: 5_000)
    /// How many records one person's devices may change. Nil for any number.
    public var changeRate: Rate? = Rate(perSecond: 500, burst: 50_000)
    /// How many requests may come with one API key. Nil for any number.
    public var keyRate: Rate? = Rate(perSecond: 20_000, burst: 100_000)
    /// How many events of one person are kept, which is for 90 days. Past that, further ones are refused.
    public var events = 100_000
    /// How many bytes the data of those events may have together.
    public var eventSize = 64 * 1_048_576
    /// Of how many epochs of one person's devices the latest answer is kept, for a batch that is sent again. Past that
    /// the oldest go.
    public var epochs = 64
    /// How many files of one person are kept, each for a day. Past that the oldest go.
    public var files = 1_000
    /// How many bytes those files may have together.
    public var fileSize = 100_000_000
    /// Whether what requests read is held against these limits. Not so in one benchmark alone, which measures what that
    /// costs.
    package var isOn = true

    /// Sets the defaults.
    public init() {}

    /// How often something may be done: a number in each second in the long run, and more of it after a pause.
    public struct Rate: Hashable, Sendable {
        /// How many in each second, in the long run. More than 0.
        public var perSecond: Double
        /// How many at once, after a pause.
        public var burst: Int

        /// Makes a rate.
        ///
        /// - Parameters:
        ///   - perSecond: How many in each second, in the long run; more than 0.
        ///   - burst: How many at once, after a pause.
        public init(perSecond: Double, burst: Int) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }
}
