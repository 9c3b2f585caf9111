import Groundwork

/// The report to a sender: problems as they occur, the progress, and the outcome.
struct SendingReport {
    private let total: Int
    private let json: Bool
    private let isFile: Bool
    private var bar: ProgressBar?
    private var sent = 0
    private var refused = 0
    private var skipped = 0
    private var lastID = ""
    private var reason: String?

    init(total: Int, json: Bool, isFile: Bool) {
        self.total = total
        self.json = json
        self.isFile = isFile
        bar = total > 1 && Terminal.showsNotes ? ProgressBar(total: total) : nil
    }

    mutating func record(_ invalidItem: OutgoingFile.InvalidItem) {
        recordRefusal(invalidItem.position, invalidItem.problem, pointer: nil, affectsAll: false)
    }

    mutating func record(_ outcome: BulkSender.Outcome) {
        switch outcome.result {
        case .sent(let receipt):
            sent += 1
            lastID = receipt.id
            if json {
                var line = JSONObject([("item", JSON(outcome.item.position))])
                for member in receipt.json.objectValue?.members ?? [] { line.add(member.name, member.value) }
                Output.line(JSON.object(line).description)
            }
            bar?.advance()
        case .refused(let error):
            recordRefusal(
                outcome.item.position,
                error.description,
                pointer: error.pointer,
                affectsAll: error.affectsAll
            )
        case .skipped:
            skipped += 1
        }
    }

    /// Prints the result.
    ///
    /// - Throws: ``Failure`` if not all messages were sent.
    mutating func finish(recipients: String?) throws {
        bar?.clear()
        if let reason { Output.note("inbox: \(reason)") }
        if !json, sent > 0 || isFile {
            if let recipients {
                Output.line("Sent \(lastID) to \(recipients).")
            } else {
                var parts = [
                    sent == total
                        ? "Sent \(counted(sent, "message"))." : "Sent \(sent) of \(counted(total, "message"))."
                ]
                if refused > 0 { parts.append("\(refused) refused.") }
                if skipped > 0 { parts.append("\(skipped) not sent.") }
                Output.line(parts.joined(separator: " "))
            }
        }
        guard refused + skipped > 0 else { return }
        if isFile, sent > 0 {
            let advice =
                refused > 0 ? "Fix the refused messages and run the same command again" : "Run the same command again"
            Output.note("\(advice). Messages that were sent aren't sent twice.")
        }
        throw Failure.reported
    }

    /// Records that the server has refused a message, and reports it.
    ///
    /// - Parameter affectsAll: Whether the reason concerns every message and is reported once.
    private mutating func recordRefusal(_ position: Int, _ problem: String, pointer: String?, affectsAll: Bool) {
        bar?.clear()
        if affectsAll {
            skipped += 1
            reason = problem
        } else {
            refused += 1
            let place = isFile ? "item \(position): " : ""
            let pointed = pointer.map { problem.contains($0) ? problem : "\($0): \(problem)" } ?? problem
            Output.note("inbox: \(place)\(pointed)")
        }
        if json {
            var error = JSONObject([("detail", .string(problem))])
            error["pointer"] = pointer.map(JSON.string)
            Output.line((["item": JSON(position), "error": .object(error)] as JSON).description)
        }
        bar?.advance()
    }
}
