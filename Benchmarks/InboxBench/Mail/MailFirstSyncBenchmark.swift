import Foundation
import InboxMail

/// Syncing a whole mailbox into an empty folder, compared with `mbsync` over IMAP from the same server.
enum MailFirstSyncBenchmark {
    /// There is a single round, since both fetch everything.
    static func run(_ context: Context) async throws -> [Line] {
        let setting = try await context.mail()
        let device = try await setting.open(in: context.workspace.subfolder("mail"))
        let head = try await Measurement(device) { try await device.mail.sync() }
        let whole = head + (try await Measurement(device) { try await setting.fetchBodies(device.mail) })
        await setting.use(device)
        let maildir = try await setting.fetchMaildir()
        let name = "first sync of \(setting.count) mails"
        return [
            Line(
                name,
                .time,
                rounds: [(head.seconds, maildir.duration)],
                note: "Mail.open's first sync(): headers and previews, \(head.text); mbsync: whole mails as files, "
                    + "\(megabytes(maildir.bytes)), not synced to the disk"
            ),
            Line(
                "\(name), bodies",
                .time,
                rounds: [(whole.seconds, maildir.duration)],
                note: "and then bodies(of:) of all, without files, \(whole.text); mbsync as above"
            ),
        ]
    }

    private static func megabytes(_ bytes: Int) -> String { "\(Report.number(Double(bytes) / 1e6)) MB" }

    /// The costs of a piece of work.
    private struct Measurement {
        private(set) var seconds: Double
        private var computing: Double
        private var figures: MeasuredTransport.Figures

        init(_ device: MailDevice, _ work: () async throws -> Void) async throws {
            let (before, processor) = (device.transport.figures, Self.processorTime)
            let start = ContinuousClock.now
            try await work()
            seconds = (ContinuousClock.now - start).seconds
            computing = Self.processorTime - processor
            figures = device.transport.figures - before
        }

        static func + (one: Measurement, other: Measurement) -> Measurement {
            var sum = one
            sum.seconds += other.seconds
            sum.computing += other.computing
            sum.figures = one.figures + other.figures
            return sum
        }

        /// The processor time of this process in seconds. POSIX counts it in microseconds.
        private static var processorTime: Double { Double(clock()) / 1e6 }

        var text: String {
            let share = Int((figures.waiting / seconds * 100).rounded())
            return
                "\(megabytes(figures.bytes)) in \(figures.requests) requests, "
                + "\(share) % of the time waiting for the server, "
                + "\(Report.duration(computing)) of computing"
        }
    }
}
