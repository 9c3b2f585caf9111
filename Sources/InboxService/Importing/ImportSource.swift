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
        case .adobe: ["propositions", "answer"]
        }
    }

    /// The members of a request with the options of the import.
    var optionNames: [String] { self == .adobe ? ["importsUndecided"] : [] }

    /// Returns the lists of messages in the whole response to a fetch.
    ///
    /// - Throws: ``JSONValueError`` if the fetch failed or the response has the wrong form.
    func lists(inAnswer answer: JSONReader) throws(JSONValueError) -> [JSONReader] {
        _ = try answer.object()
        guard self == .adobe else {
            if let success = answer.member("success"), try !success.bool() {
                throw success.failure("is false: the fetch failed, and has to be repeated")
            }
            return answer.member("messages").map { [$0] } ?? []
        }
        // Other handles are about cookies and places. One without a type is taken for a list of propositions.
        var lists: [JSONReader] = []
        for handle in try answer.required("handle").elements() {
            _ = try handle.object()
            let type = try handle.member("type")?.string()
            if type ?? "personalization:decisions" == "personalization:decisions",
                let payload = handle.member("payload")
            {
                lists.append(payload)
            }
        }
        return lists
    }

    /// Returns the request's items, each with its index and either its content or an error.
    ///
    /// - Parameters:
    ///   - now: The time of the request.
    ///   - importsUndecided: Whether a card of Adobe's is imported if its condition can't be decided.
    func items(of elements: [JSONReader], now: Date, importsUndecided: Bool) -> [ImportItem] {
        switch self {
        case .bloomreach:
            messages(elements, now: now, id: BloomreachMessage.id) { (reader) throws(AdapterError) in
                try BloomreachMessage(reading: reader).adapted(at: reader.pointer)
            }
        case .zeta:
            messages(elements, now: now, id: ZetaMessage.id) { (reader) throws(AdapterError) in
                try ZetaMessage(reading: reader).adapted(at: reader.pointer)
            }
        case .adobe:
            AdobePart.parts(of: elements, now: now, importsUndecided: importsUndecided).map { part in
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
                return ImportItem(
                    index: part.index,
                    item: part.item,
                    consequence: part.consequence,
                    undecided: part.undecided,
                    id: part.id,
                    content: content
                )
            }
        }
    }

    private func messages(
        _ elements: [JSONReader],
        now: Date,
        id: (JSONReader) -> String,
        _ adapt: (JSONReader) throws(AdapterError) -> AdaptedMessage
    ) -> [ImportItem] {
        elements.enumerated().map { index, element in
            let content = Result { () throws(AdapterError) -> ImportItem.Content in
                .message(ImportedMessage(try adapt(element), index: index, source: self, now: now))
            }
            return ImportItem(index: index, id: id(element), content: content)
        }
    }
}
