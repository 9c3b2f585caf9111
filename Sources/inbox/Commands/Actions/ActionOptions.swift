import ArgumentParser
import InboxClient

/// What the commands that change messages have in common.
struct ActionOptions: ParsableArguments {
    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't ask the server; what was done waits to be sent.")
    var offline = false

    @Flag(help: "Print a JSON object: changed, sent, pendingWrites.")
    var json = false
}
