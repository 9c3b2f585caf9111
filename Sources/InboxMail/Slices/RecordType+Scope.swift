import Replica

extension RecordType {
    /// The types of mail, of which so much is held.
    static func mail(_ scope: MailScope) -> [RecordType] {
        mail.map { type in
            guard scope == .slices, case .everything(let sort) = type.window else { return type }
            var type = type
            // What a mailbox has in all says nothing of a part.
            type.audit = nil
            type.window = .slices(sort: sort, groups: .threads)
            return type
        }
    }
}
