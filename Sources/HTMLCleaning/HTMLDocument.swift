/// A complete document of a cleaned message, for a sandboxed frame or a web view without JavaScript.
///
/// The document has no script, no form and no base address. Its Content-Security-Policy allows inline styles, and
/// pictures from the origins that the message still has, up to ``maximumOriginCount``; everything else is blocked. It
/// is in the document as a `meta` element too, for views that load it from memory.
///
/// A message that sets no colors follows the reader's color scheme. One that does is on the background that it sets, or
/// on a white one, or on a dark one if its texts can be read only there.
public struct HTMLDocument: Hashable, Sendable {
    /// The version of the rules by which messages are cleaned. It is in the document as its generator, and grows when
    /// the same message would be shown differently.
    public static let version = 2

    /// The document's HTML.
    public let markup: String
    /// The value of a `Content-Security-Policy` header for the document (W3C, CSP Level 3), without `sandbox` and
    /// `frame-ancestors`, which are for the page around it to decide.
    public let contentSecurityPolicy: String
    /// The background that the message is on.
    public let background: Background

    /// The background that a message is on.
    public enum Background: Hashable, Sendable {
        /// The background of the reader's color scheme. The message sets no colors.
        case scheme
        /// A color, with the text that is readable on it.
        case color(HTMLColor, text: HTMLColor)
    }

    /// The greatest number of origins in the policy: those that the message has first. Pictures from the others are
    /// blocked. A screen says so in a note, where ``CleanHTML/pictureOrigins`` has more.
    public static let maximumOriginCount = 50

    /// Creates the document of a message.
    ///
    /// - Parameters:
    ///   - message: The cleaned message. Its pictures load from where it has their addresses: decide about each when
    ///     cleaning it.
    ///   - title: The title, which screen readers announce.
    ///   - language: The language of the message as a BCP 47 tag, or nil if it isn't known.
    ///   - textScale: The size of text as a share of the usual one, from 0.1 to 10, for a web view on iOS whose reader
    ///     prefers another size (`text-size-adjust`). Nil to leave it to the browser.
    ///   - notes: Texts below the message that aren't its own, such as that its end is missing
    ///     (``CleanHTML/isComplete``).
    ///   - isFocusable: Whether the Tab key stops at the document before its links. In a page's frame, one without
    ///     links can be scrolled by keyboard only then.
    public init(
        _ message: CleanHTML,
        title: String,
        language: String? = nil,
        textScale: Double? = nil,
        notes: [String] = [],
        isFocusable: Bool = false
    ) {
        let background = Self.background(of: message)
        let policy = Self.policy(message)
        var head = "<!DOCTYPE html>\n<html"
        if let language { head += " lang=\"\(Self.escaped(language))\"" }
        head += "><head><meta charset=\"utf-8\">"
        head += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.escaped(policy))\">"
        head += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        head += "<meta name=\"referrer\" content=\"no-referrer\">"
        head += "<meta name=\"generator\" content=\"HTMLCleaning \(Self.version)\">"
        let style =
            Self.style(background, textScale) + (notes.isEmpty ? "" : Self.noteStyle)
            + (isFocusable ? Self.focusStyle : "")
        head += "<title>\(Self.escaped(title))</title><style>\(style)</style></head>"
        // Nothing of the message has a class.
        let notes = notes.map { "<p class=\"note\" dir=\"auto\">\(Self.escaped($0))</p>" }.joined()
        // The direction of text without one of its own follows its first letter.
        let stop = isFocusable ? " tabindex=\"0\"" : ""
        markup = "\(head)<body dir=\"auto\"\(stop)>\(message.markup)\(notes)</body></html>\n"
        contentSecurityPolicy = policy
        self.background = background
    }

    private static func background(of message: CleanHTML) -> Background {
        guard message.setsColors else { return .scheme }
        let backgrounds = message.backgroundColor.map { [$0.blended(over: .white)] } ?? [.white, darkBackground]
        let candidates = backgrounds.flatMap { background in
            [HTMLColor.black, .white].map { text in
                (background, text, contrast: min(text.contrast(with: background), lowest(message, text, background)))
            }
        }
        // The first on which everything can be read, or else the one on which most can.
        let best =
            candidates.first { $0.contrast >= HTMLColor.minimumContrast }
            ?? candidates.max { $0.contrast < $1.contrast } ?? (.white, .black, 21)
        return .color(best.0, text: best.1)
    }

    private static func lowest(_ message: CleanHTML, _ text: HTMLColor, _ background: HTMLColor) -> Double {
        message.lowestContrast(text: text, background: background) ?? .infinity
    }

    private static let darkBackground = HTMLColor(red: 0x1C, green: 0x1C, blue: 0x1E)

    private static func style(_ background: Background, _ textScale: Double?) -> String {
        let colors =
            switch background {
            case .scheme:
                ":root{color-scheme:light dark}"
            case .color(let color, let text):
                ":root{color-scheme:\(text == .white ? "dark" : "light");background:\(hex(color));color:\(hex(text))}"
            }
        let scale = textScale.flatMap { $0.isNaN ? nil : Int((min(max($0, 0.1), 10) * 100).rounded()) }
        let size = scale.map { ":root{-webkit-text-size-adjust:\($0)%;text-size-adjust:\($0)%}" } ?? ""
        // Long words break and pictures shrink. A table that can't be narrower scrolls, with its words whole.
        return colors + size
            + "body{margin:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word;overflow-x:auto}"
            + "img{max-width:100%;height:auto}table{max-width:100%}pre{white-space:pre-wrap}"
            + "blockquote{margin-inline:0;padding-inline-start:1rem;border-inline-start:3px solid #8888}"
            + ":focus-visible{outline:2px solid;outline-offset:2px}"
    }

    private static let noteStyle =
        ".note{clear:both;margin:1rem 0 0;padding-top:.5rem;border-top:1px solid;font-size:.875rem}"

    /// The focus of the whole document is seen around the part of it that is in view.
    private static let focusStyle =
        "body:focus-visible{outline:none}body:focus-visible::before{content:\"\";position:fixed;inset:0;"
        + "outline:3px solid;outline-offset:-3px;pointer-events:none}"

    private static func hex(_ color: HTMLColor) -> String {
        "#" + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func policy(_ message: CleanHTML) -> String {
        let origins = message.orderedPictureOrigins.prefix(maximumOriginCount)
        let images = origins.isEmpty ? "'none'" : origins.sorted().joined(separator: " ")
        return "default-src 'none'; style-src 'unsafe-inline'; img-src \(images); base-uri 'none'; form-action 'none'"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += " "
            default: escaped.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
            }
        }
        return escaped
    }
}
