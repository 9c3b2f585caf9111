import ArgumentParser
import Foundation
import Logging
import Rainbow
import ServiceLifecycle
import TextTable

@main struct Inbox { static func main() {} }
