import Foundation
import Groundwork
import InboxClient
import InboxModel
import InboxTesting
import Screens

/// The messages of the gallery, the newest first.
enum GalleryMessages {
    /// A list: with and without picture, buttons and text, unread and read.
    static func list(surface: String = Message.defaultSurface) -> [Message] {
        [
            message("parcel", surface, minutesAgo: 6) {
                $0.title = "Your parcel is on its way"
                $0.body = "It arrives tomorrow between 9 and 12. You can still choose another day until this evening."
                $0.media = Media(url: pictures + "parcel.png", alt: "A parcel on a table")
                $0.actions = [action("track", "Track it"), action("day", "Change the day")]
                $0.link = "https://shop.example/parcel"
            },
            message("mountains", surface, minutesAgo: 180) {
                $0.title = "Four days in the mountains"
                $0.body = "The early booking price ends on Sunday."
                $0.media = Media(url: pictures + "mountains.png", alt: "Mountains")
                $0.templateID = "LargeImage"
                $0.actions = [action("see", "See the huts")]
                $0.dismissButton = .circle
            },
            message("rider", surface, minutesAgo: 60 * 20) {
                $0.title = "Your rider is two streets away"
                $0.body = "Please come down to the door."
                $0.readAt = Date()
            },
            message("welcome", surface, minutesAgo: 60 * 24 * 40) {
                $0.title = "Welcome to the inbox of a shop whose titles are sometimes longer than one line of a phone"
                $0.body =
                    "Good to have you here. This is where we’ll write to you about orders, offers and answers "
                    + "to your questions, so that nothing is lost between other mail."
                $0.readAt = Date()
            },
        ]
    }

    /// A message of HTML.
    static func html(surface: String = Message.defaultSurface) -> Message {
        message("html", surface, minutesAgo: 30) {
            $0.title = "Spring news"
            $0.html = """
                <h1 style="color:#0a6e3d">Spring has come</h1><p>Everything for the balcony is 20 % cheaper until \
                Sunday: <b>pots</b>, <i>herbs</i> and a watering can.</p><table border="1" cellpadding="6"><tr>\
                <td>Basil</td><td>1.99</td></tr><tr><td>Mint</td><td>2.49</td></tr></table><p>\
                <a href="https://shop.example/spring">To the offers</a></p>
                """
        }
    }

    /// The folder of the pictures.
    private static let pictures = "https://pictures.example/"

    private static func action(_ id: String, _ text: String) -> MessageAction {
        MessageAction(id: id, text: text, link: "https://shop.example/\(id)")
    }

    private static func message(
        _ id: String,
        _ surface: String,
        minutesAgo: Double,
        _ change: (inout Message) -> Void
    ) -> Message {
        var message = Message(id: id, surface: surface, deliverAt: Date().addingTimeInterval(-60 * minutesAgo))
        change(&message)
        return message
    }

    /// Answers for a server, and for the host of the pictures.
    static func answers(of server: ScriptedServer) -> @Sendable (TransportRequest) async throws -> TransportResponse {
        { request in
            guard request.url.host() == "pictures.example" else { return server.answer(request) }
            // Nothing decodes it here: its first bytes say that it is a picture.
            return TransportResponse(
                status: 200,
                body: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
                url: request.url
            )
        }
    }
}

extension ScreenDevice {
    /// A device in the time of its screens, with the pictures of the gallery.
    static func gallery(
        _ messages: [Message],
        settings: InboxSettings? = nil,
        surface: String = Message.defaultSurface
    ) async throws -> ScreenDevice {
        let device = try await ScreenDevice(messages, settings: settings, surface: surface) {
            $0.clock = SystemClock()
        }
        device.transport.answer(with: GalleryMessages.answers(of: device.server))
        return device
    }

    /// Lets requests wait at a gate.
    func wait(at gate: Gate) {
        transport.answer { [server] request in
            await gate.wait()
            return server.answer(request)
        }
    }
}
