import Foundation
import InboxMail

/// File names of attachments.
enum FileName {
    static func shown(_ file: MailFile) -> String {
        let name = (file.name ?? "").plainLine
        return name.isEmpty ? "(no name)" : name
    }

    /// Returns a safe file name that isn't used in the folder yet: it replaces no file and isn't a hidden file.
    static func unused(for file: MailFile, exists: (String) -> Bool) -> String {
        let name = String((file.name ?? "").plainLine.drop { $0 == "." || $0 == " " })
        let whole = name.isEmpty ? "file" : name
        let dot = whole.lastIndex(of: ".").flatMap { whole.distance(from: $0, to: whole.endIndex) <= 12 ? $0 : nil }
        let (base, ending) = dot.map { (String(whole[..<$0]), String(whole[$0...])) } ?? (whole, "")
        var number = 1
        while true {
            // File systems allow 255 bytes.
            let addition = (number == 1 ? "" : " \(number)") + ending
            var short = base
            while !short.isEmpty, short.utf8.count + addition.utf8.count > 240 { short.removeLast() }
            if !exists(short + addition) { return short + addition }
            number += 1
        }
    }
}

extension MailBody {
    /// The attachments, and the pictures that the mail has beside its text and no HTML shows.
    var listedFiles: [MailFile] {
        guard !inlineFiles.isEmpty else { return attachments }
        let shown = shownFiles
        return attachments + inlineFiles.filter { !shown.contains($0) }
    }
}
