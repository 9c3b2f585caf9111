import Foundation
import Testing

@main
struct Main {
    /// Runs the tests, or with `--gallery FOLDER` writes the gallery of screens.
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.count == 3, arguments[1] == "--gallery" {
            do {
                try await Gallery.write(to: URL(fileURLWithPath: arguments[2], isDirectory: true))
                exit(0)
            } catch {
                FileHandle.standardError.write(Data("the gallery wasn't written: \(error)\n".utf8))
                exit(1)
            }
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
