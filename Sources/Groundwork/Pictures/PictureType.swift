/// A format of pictures that is shown within a message.
///
/// A format is recognized by the bytes alone: what a server or a mail states can be wrong. SVG isn't among the formats,
/// because it is markup, which can have scripts and load other files.
package enum PictureType: String, CaseIterable, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"
    case bmp = "image/bmp"

    /// Recognizes the format of a picture by its first bytes (WHATWG, MIME Sniffing, section 6.1; AVIF 1.1, section
    /// 6). Returns nil for anything else.
    package init?(of bytes: some Sequence<UInt8>) {
        let start = Array(bytes.prefix(12))
        func has(_ text: String, at index: Int = 0) -> Bool { start.dropFirst(index).starts(with: text.utf8) }
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
            self = .avif
        } else if has("BM") {
            self = .bmp
        } else {
            return nil
        }
    }

    /// The media type, such as `image/png`.
    package var mediaType: String { rawValue }
}
