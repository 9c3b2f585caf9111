import Foundation
import MailComposing

/// The media types of files that people attach, by the ends of their names. On Apple's systems an app can name any
/// other.
package enum MediaType {
    static func ofFile(named name: String) -> String {
        let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return types[end] ?? "application/octet-stream"
    }

    /// Returns the name that a file of another mail has in a draft.
    ///
    /// Many programs attach a mail without a name, or without an ending. It is sent as a file of unknown type, so that
    /// only its ending says what it is.
    package static func fileName(of file: MailFile) -> String {
        let type = file.type == "message/global" ? mail : file.type
        guard let name = file.name else {
            // Of several endings, such as htm and html, the same one each time.
            return types.filter { $0.value == type }.keys.max().map { "file.\($0)" } ?? "file"
        }
        guard type == mail, ofFile(named: name) != mail else { return name }
        // The name and the ending fit a name that is sent.
        return PlainCharacters.cut(name, maxLength: 196) + ".eml"
    }

    private static let mail = "message/rfc822"

    private static let types: [String: String] = [
        "txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "html": "text/html", "htm": "text/html",
        "ics": "text/calendar", "vcf": "text/vcard", "json": "application/json", "xml": "application/xml",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "rtf": "application/rtf",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "mp4": "video/mp4", "mov": "video/quicktime",
        "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "eml": mail,
    ]
}
