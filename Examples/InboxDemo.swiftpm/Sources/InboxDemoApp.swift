import SwiftUI

@main
struct InboxDemoApp: App {
    var body: some Scene {
        WindowGroup { DemoView() }
    }
}
