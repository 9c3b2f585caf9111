import ArgumentParser
import Foundation
import Groundwork

/// The options that define one message.
struct MessageOptions: ParsableArguments {
    @Option(
        name: .long,
        parsing: .upToNextOption,
        help: ArgumentHelp("The ids of the recipients.", valueName: "person")
    )
    var to: [String] = []

    @Flag(help: "Send to everyone, including people who appear later.")
    var everyone = false

    @Flag(inversion: .prefixedNo, help: "With --everyone: include people who appear after the delivery.")
    var newPeople = true

    @Option(help: ArgumentHelp("The title.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("The text.", valueName: "text"))
    var body: String?

    @Option(help: ArgumentHelp("The category, under which the app may show it.", valueName: "name"))
    var category: String?

    @Option(help: ArgumentHelp("The surface of the app that shows it.", valueName: "name"))
    var surface: String?

    @Option(help: ArgumentHelp("The URL of a picture.", valueName: "url"))
    var image: String?

    @Option(help: ArgumentHelp("A description of the picture.", valueName: "text"))
    var imageText: String?

    @Option(help: ArgumentHelp("The URL that its button opens.", valueName: "url"))
    var link: String?

    @Option(help: ArgumentHelp("The button's label. (default: Open)", valueName: "text"))
    var linkText: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Additional data for the app, as name=value. Repeatable.", valueName: "pair")
    )
    var data: [DataArgument] = []

    @Flag(help: "Keep it at the top, even if space is limited.")
    var pinned = false

    @Option(
        help: ArgumentHelp(
            "When to deliver it: 2026-05-01T08:00:00Z, or +30m, +2h, +3d, +1w from now. Days and weeks keep the local "
                + "time of day across a change of the clocks.",
            valueName: "time"
        )
    )
    var deliverAt: TimeArgument?

    @Option(help: ArgumentHelp("When to stop showing it, in the same formats.", valueName: "time"))
    var expiresAt: TimeArgument?

    var isEmpty: Bool {
        to.isEmpty && !everyone && newPeople && data.isEmpty && !pinned && deliverAt == nil && expiresAt == nil
            && [title, body, category, surface, image, imageText, link, linkText].allSatisfy { $0 == nil }
    }

    /// Checks that the given options can be combined.
    func check() throws {
        guard to.isEmpty || !everyone else {
            throw ValidationError("--to and --everyone can't be combined. Everyone includes the people of --to.")
        }
        guard everyone || newPeople else { throw ValidationError("--no-new-people requires --everyone.") }
        guard link != nil || linkText == nil else { throw ValidationError("--link-text requires --link.") }
        guard image != nil || imageText == nil else { throw ValidationError("--image-text requires --image.") }
    }

    /// Checks that there are recipients and content.
    func checkIsComplete() throws {
        guard !to.isEmpty || everyone else {
            throw ValidationError("The recipients are missing. Give --to PERSON…, or --everyone, or --file FILE.")
        }
        guard title != nil || body != nil || image != nil else {
            throw ValidationError("The content is missing. Give --title, --body or --image.")
        }
    }

    /// Returns the body of the request.
    func request(now: Date) -> JSON {
        var message = JSONObject()
        for (name, value) in [("title", title), ("body", body), ("category", category), ("surface", surface)] {
            message[name] = value.map(JSON.string)
        }
        if let image {
            var media = JSONObject([("url", .string(image))])
            media["alt"] = imageText.map(JSON.string)
            message["media"] = .object(media)
        }
        if let link { message["actions"] = [["text": .string(linkText ?? "Open"), "link": .string(link)]] }
        if pinned { message["pinned"] = true }
        message["deliverAt"] = deliverAt.map { .string(RFC3339.string(from: $0.date(now: now))) }
        message["expiresAt"] = expiresAt.map { .string(RFC3339.string(from: $0.date(now: now))) }
        if !data.isEmpty {
            var pairs = JSONObject()
            for pair in data { pairs[pair.name] = .string(pair.value) }
            message["additionalData"] = .object(pairs)
        }
        return ["to": audience, "message": .object(message)]
    }

    /// The recipients, as text.
    var recipientText: String {
        everyone ? "everyone" : to.count <= 3 ? to.map(\.plainLine).joined(separator: ", ") : "\(to.count) people"
    }

    private var audience: JSON {
        if everyone { return newPeople ? ["everyone": true] : ["everyone": true, "newPeople": false] }
        return to.count == 1 ? ["person": .string(to[0])] : ["people": JSON(to)]
    }
}

/// A name and a value in the format `name=value`.
struct DataArgument: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        name = String(argument[..<sign])
        value = String(argument[argument.index(after: sign)...])
    }
}

/// A time: an RFC 3339 date in UTC, or an offset from now such as `+2h` or `-3d`.
///
/// Offsets in seconds, minutes and hours are exact. Those in days and weeks are of the local calendar: they keep the
/// time of day where the clocks change in between.
struct TimeArgument: ExpressibleByArgument, Hashable, Sendable {
    private enum Value: Hashable {
        case absolute(Date)
        case seconds(Int)
        case days(Int)
    }

    private let value: Value

    init?(argument: String) {
        if let date = RFC3339.date(from: argument) {
            value = .absolute(date)
            return
        }
        guard let sign = argument.first, sign == "+" || sign == "-", let unit = argument.last,
            let number = Int(argument.dropFirst().dropLast()), (0...1_000_000).contains(number)
        else { return nil }
        let count = sign == "-" ? -number : number
        switch unit {
        case "s": value = .seconds(count)
        case "m": value = .seconds(count * 60)
        case "h": value = .seconds(count * 3_600)
        case "d": value = .days(count)
        case "w": value = .days(count * 7)
        default: return nil
        }
    }

    /// Returns the time.
    ///
    /// - Parameter timeZone: The time zone of days and weeks.
    func date(now: Date, timeZone: TimeZone = .current) -> Date {
        switch value {
        case .absolute(let date): return date
        case .seconds(let count): return now.addingTimeInterval(Double(count))
        case .days(let count):
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = timeZone
            // Where the calendar ends, the time of day doesn't matter.
            return calendar.date(byAdding: .day, value: count, to: now)
                ?? now.addingTimeInterval(Double(count) * 86_400)
        }
    }
}
