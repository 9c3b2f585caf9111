import Foundation
import Groundwork

/// Texts and files for a draft that come from files or standard input.
enum DraftInput {
    /// The maximum size of a text, in bytes.
    static let maxSize = 10_000_000

    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// Reads a text.
    ///
    /// - Parameter path: The path; `-` for standard input.
    /// - Throws: ``Failure`` if it can't be read, isn't UTF-8, or is larger than ``maxSize``.
    static func text(_ path: String) throws -> String {
        var isDirectory: ObjCBool = false
        if path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw Failure("\(path.plainLine) is a directory. Give a file with a text.")
        }
        guard path == "-" || FileManager.default.fileExists(atPath: path) else {
            throw Failure("There is no file \(path.plainLine).")
        }
        guard path != "-" || StandardInput.isReadable else { throw Failure("Standard input is closed.") }
        let bytes: Data
        do {
            let file =
                path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            bytes = try file.read(upToCount: maxSize + 1) ?? Data()
        } catch {
            throw Failure("\(name(path)) can't be read: \(error.fileReason).")
        }
        guard bytes.count <= maxSize else {
            throw Failure("\(name(path)) is larger than \(ByteCount.text(maxSize)). Attach it as a file instead.")
        }
        guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
            throw Failure("\(name(path)) isn't UTF-8. Convert it, or attach it as a file.")
        }
        return text
    }

    /// Checks that files can be attached, before anything is changed.
    ///
    /// - Throws: ``Failure`` that names the first that can't.
    static func check(_ files: [URL]) throws {
        for file in files {
            var isDirectory: ObjCBool = false
            let name = file.relativePath.plainLine
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory) else {
                throw Failure("There is no file \(name).")
            }
            guard !isDirectory.boolValue else {
                throw Failure("\(name) is a directory. Attach a file, or an archive of it.")
            }
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw Failure("The file \(name) can't be read: you don't have the permission.")
            }
            let target = file.resolvingSymlinksInPath().path
            let type = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
            guard type == .typeRegular else {
                throw Failure("\(name) can't be attached: it is a pipe or a device. Attach a file.")
            }
        }
    }
}
