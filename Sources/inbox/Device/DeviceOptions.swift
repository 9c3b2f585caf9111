import ArgumentParser
import Foundation

/// The option that selects the device of a command.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The device's directory, with its login and messages. (default: $INBOX_DIRECTORY, or the user's data directory)",
            valueName: "dir"
        ),
        completion: .directory
    )
    var directory: String?

    private var places: DevicePlaces { DevicePlaces(environment: ProcessInfo.processInfo.environment) }

    /// The existing device.
    var device: Device {
        if let directory { return Device(directory: URL(fileURLWithPath: directory, isDirectory: true)) }
        let places = places
        let current = places.current
        if current == places.earlier {
            Output.note(
                "inbox: This device is in \(current.path), as in earlier versions. Move it to \(places.directory.path)."
            )
        }
        return Device(directory: current)
    }

    /// The device for a login (``DevicePlaces/place(ofLogin:)``).
    func device(ofLogin isSame: (Device) -> Bool) -> Device {
        let places = places
        guard directory == nil, places.current == places.earlier else { return device }
        let place = places.place { isSame(Device(directory: $0)) }
        if place == places.earlier { return device }
        Output.note(
            "inbox: A device of an earlier version stays in \(places.current.path). Use --directory to open it."
        )
        return Device(directory: place)
    }
}
