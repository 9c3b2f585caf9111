import Foundation
import Groundwork
import InboxAdapters

/// A system from which messages can be imported. The raw value is its name in tables and URLs.
package enum ImportSource: String, Sendable, CaseIterable {
    case bloomreach, zeta, adobe

    /// The members, besides the person, of which a request contains exactly one.
    var memberNames: [String] {
        switch self {
        case .bloomreach: ["messages", "answer"]
        case .zeta: ["messages"]
        case .adobe: ["propositions"]
        }
    }

    /// Returns the request's items, each with its index and either its content or an error.
    ///
    /// - Parameter now: The time of the request.
    func items(of elements: [JSONReader], now: Date) -> [ImportItem] {
        switch self {
        case .bloomreach:
            messages(elements, now: now) { (reader) throws(AdapterError) in
                try BloomreachMessage(reading: reader).adapted(at: reader.pointer)
            }
        case .zeta:
            messages(elements, now: now) { (reader) throws(AdapterError) in
                try ZetaMessage(reading: reader).adapted(at: reader.pointer)
            }
        case .adobe:
            AdobePart.parts(of: elements, now: now).map { part in
                let content = part.content.map { content -> ImportItem.Content in
                    switch content {
                    case .message(let message):
                        .message(ImportedMessage(message, index: part.index, source: self, now: now))
                    case .settings(let settings, let surface):
                        .settings(
                            ImportedSettings(
                                surface: surface,
                                settings: settings,
                                pointer: elements[part.index].pointer
                            )
                        )
                    }
                }
                return ImportItem(index: part.index, item: part.item, content: content)
            }
        }
    }

    private func messages(
        _ elements: [JSONReader],
        now: Date,
        _ adapt: (JSONReader) throws(AdapterError) -> AdaptedMessage
    ) -> [ImportItem] {
        elements.enumerated().map { index, element in
            let content = Result { () throws(AdapterError) -> ImportItem.Content in
                .message(ImportedMessage(try adapt(element), index: index, source: self, now: now))
            }
            return ImportItem(index: index, item: nil, content: content)
        }
    }
}
