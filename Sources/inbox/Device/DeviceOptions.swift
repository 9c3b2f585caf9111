import ArgumentParser
import Foundation

/// The option that selects the device of a command.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The device's directory, with its login and messages. (default: $INBOX_DIRECTORY, or the user's data \
            directory)
            """,
            valueName: "dir"
        ),
        completion: .directory
    )
    var directory: String?

    func validate() throws { try PathArgument.check(directory, of: "--directory") }

    /// The option as this command was given it, behind a command that is to be run next: ` --directory phone`. Empty
    /// without the option.
    static let again: String = {
        let arguments = Array(CommandLine.arguments.prefix { $0 != "--" })
        for (argument, next) in zip(arguments, arguments.dropFirst() + [""]) {
            if argument == "--directory" { return " --directory \(next.shellWord)" }
            guard argument.hasPrefix("--directory=") else { continue }
            return " --directory \(String(argument.dropFirst("--directory=".count)).shellWord)"
        }
        return ""
    }()

    private var locations: DeviceLocations { DeviceLocations(environment: ProcessInfo.processInfo.environment) }

    /// The existing device.
    var device: Device {
        if let directory { return Device(directory: URL(fileURLWithPath: directory, isDirectory: true)) }
        let locations = locations
        let current = locations.current
        if current == locations.legacyDirectory {
            Output.note(
                """
                inbox: This device is in \(current.path), as in earlier versions. Move it to \
                \(locations.directory.path).
                """
            )
        }
        return Device(directory: current)
    }

    /// The device for a login (``DeviceLocations/location(forLogin:)``).
    func device(forLogin isSame: (Device) -> Bool) -> Device {
        let locations = locations
        guard directory == nil, locations.current == locations.legacyDirectory else { return device }
        let location = locations.location { isSame(Device(directory: $0)) }
        if location == locations.legacyDirectory { return device }
        Output.note(
            "inbox: A device of an earlier version stays in \(locations.current.path). Use --directory to open it."
        )
        return Device(directory: location)
    }
}
