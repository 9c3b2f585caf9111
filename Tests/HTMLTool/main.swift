// The cleaner for scripts.
//
//   inbox-html trees            every cleaned input of the tests, as JSON: its name, markup and tree
//   inbox-html gallery FOLDER   pages of the samples there, before and after they were cleaned
//   inbox-html clean            an array of HTML from the standard input, cleaned as the page /inbox does, as JSON
import Foundation
import HTMLCleaning
import HTMLInputs
import HTMLParsing

/// A cleaned input.
struct Cleaned: Encodable {
    let name: String
    let markup: String
    /// As html5lib-tests writes trees.
    let tree: String

    init(_ name: String, _ input: [UInt8]) {
        self.name = name
        markup = HTMLCleaner().clean(input).markup
        tree = HTMLParser.parseFragment(markup).dump
    }
}

func cleaned() -> [Cleaned] {
    var all = HTMLCorpus.inputs.map { Cleaned($0.name, $0.bytes) }
    all += Attacks.all.enumerated().map { Cleaned("attack \($0 + 1)", Array($1.utf8)) }
    all += Sample.all.map { Cleaned("sample \($0.name)", Array($0.html.utf8)) }
    all += HostileInput.all.map { Cleaned("hostile \($0.name)", Array($0.text(2_000).utf8)) }
    all.append(Cleaned("generated mail", Array(GeneratedMail.html(bytes: 100_000).utf8)))
    return all
}

func gallery(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ page: String, _ name: String) throws {
        try Data(page.utf8).write(to: folder.appending(path: name + ".html"))
    }
    for sample in Sample.all {
        try write(sample.html, "\(sample.name)-before")
        for (name, medium) in [
            ("wide", HTMLMedium(width: 700)), ("narrow", HTMLMedium(width: 390)),
            ("dark", HTMLMedium(width: 700, isDark: true)),
        ] {
            let options = HTMLCleaner.Options(
                linkSchemes: ["http", "https", "mailto", "tel", "shopapp", "stepsapp"],
                readsActions: true,
                closeButtons: .linked(to: "shopapp://close", addsDefault: false),
                medium: medium
            )
            let message = HTMLCleaner(options).clean(sample.html)
            // What a view around the message does.
            let color = message.backgroundColor.map { "rgb(\($0.red), \($0.green), \($0.blue))" }
            let background = color.map { "; background: \($0)" } ?? ""
            let scheme = medium.isDark && message.supportsDark ? "dark" : "light"
            let page = """
                <!DOCTYPE html><html><head><meta charset="utf-8">\
                <meta name="viewport" content="width=device-width, initial-scale=1">\
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
                img-src *"><style>body { margin: 0; color-scheme: \(scheme)\(background) }</style></head><body>\(message.markup)</body></html>
                """
            try write(page, "\(sample.name)-after-\(name)")
        }
    }
}

/// A message that was cleaned as the page `/inbox` does, but for its links, which keep their targets.
struct Shown: Encodable {
    let markup: String
    /// The addresses of the pictures that it may load.
    let pictures: [String]

    init(_ html: String) {
        let options = HTMLCleaner.Options(linkSchemes: nil, readsActions: true, opensLinksOutside: true)
        var pictures: [String] = []
        markup =
            HTMLCleaner(options).clean(
                html,
                pictures: { picture in
                    if picture.url.hasPrefix("cid:") { return .placeholder }
                    pictures.append(picture.url)
                    return .keep
                }
            ).markup
        self.pictures = pictures
    }
}

let arguments = CommandLine.arguments.dropFirst()
switch (arguments.first, arguments.count) {
case ("trees", 1): FileHandle.standardOutput.write(try JSONEncoder().encode(cleaned()))
case ("clean", 1):
    let inputs = try JSONDecoder().decode([String].self, from: FileHandle.standardInput.readToEnd() ?? Data())
    FileHandle.standardOutput.write(try JSONEncoder().encode(inputs.map(Shown.init)))
case ("gallery", 2): try gallery(URL(filePath: arguments[2]))
default:
    FileHandle.standardError.write(Data("inbox-html: trees, clean, or gallery and a folder\n".utf8))
    exit(2)
}
