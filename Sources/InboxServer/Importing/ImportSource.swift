import Groundwork
import InboxAdapters

/// A system from which messages can be imported, as tables and addresses call it.
enum ImportSource: String, Sendable, CaseIterable {
    case bloomreach, zeta

    /// A message of its as ours.
    ///
    /// - Throws: ``AdapterError``, with the place in the request.
    func adapted(_ reader: JSONReader) throws(AdapterError) -> AdaptedMessage {
        switch self {
        case .bloomreach: try BloomreachMessage(reading: reader).adapted(at: reader.pointer)
        case .zeta: try ZetaMessage(reading: reader).adapted(at: reader.pointer)
        }
    }
}
