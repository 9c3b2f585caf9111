import ArgumentParser
import InboxClient

/// The options that the action commands share.
struct ActionOptions: ParsableArguments {
    @OptionGroup var deviceOptions: DeviceOptions

    @Flag(help: "Don't contact the server. Changes are sent later.")
    var offline = false

    @Flag(help: "Print a JSON object: changed, sent, pendingWrites.")
    var json = false
}
