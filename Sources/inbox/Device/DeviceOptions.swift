import ArgumentParser
import Foundation

/// Which device a command is about.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The device's directory: its login and messages. (default: $INBOX_DIRECTORY, or the user's data directory)",
            valueName: "dir"
        ),
        completion: .directory
    )
    var directory: String?

    var device: Device {
        Device(
            directory: directory.map { URL(fileURLWithPath: $0, isDirectory: true) }
                ?? Device.defaultDirectory(environment: ProcessInfo.processInfo.environment)
        )
    }
}
