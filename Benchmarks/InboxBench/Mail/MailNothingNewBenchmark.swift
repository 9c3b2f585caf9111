import Foundation
import Groundwork
import InboxMail
import RunningMailServer

/// A sync without changes, compared with a single request for the changes of mails.
enum MailNothingNewBenchmark {
    private static let repeats = 40

    static func run(_ context: Context) async throws -> [Line] {
        let setting = try await context.mail()
        let device = try await setting.device()
        try await device.mail.sync()
        guard let state = try await device.mail.status().state else { throw BenchmarkError("no state of mails") }
        let arguments: JSON = ["accountId": .string(setting.user.name), "sinceState": .string(state)]
        let body: JSON = [
            "using": ["urn:ietf:params:jmap:core", "urn:ietf:params:jmap:mail"],
            "methodCalls": [["Email/changes", arguments, "0"]],
        ]
        let request = body.utf8

        var rounds: [(ours: Double, raw: Double)] = []
        let before = device.transport.figures
        for round in 0...context.effort.rounds {
            var (ours, theirs): ([Double], [Double]) = ([], [])
            for _ in 0..<repeats {
                ours.append(try await seconds { try await device.mail.sync() })
                theirs.append(
                    try await seconds {
                        guard try await setting.server.http("POST", "/jmap/", request).status == 200 else {
                            throw BenchmarkError("the mail server refuses a request")
                        }
                    }
                )
            }
            if round > 0 { rounds.append((median(ours), median(theirs))) }
        }
        let figures = device.transport.figures - before
        let syncs = Double(repeats * (context.effort.rounds + 1))
        let requests = Report.number(Double(figures.requests) / syncs)
        let bytes = Int(Double(figures.bytes) / syncs)
        let note =
            "sync() without a change, \(requests) requests and \(bytes) bytes of answers; "
            + "raw: Email/changes alone, by the same URLSession "
            + "transport over a kept connection"
        return [Line("no-change sync of \(setting.count) mails", .time, rounds: rounds, note: note)]
    }
}
