import GRDB
import Replica

extension Database {
    func remotePicturePermissions() throws -> Set<RemotePicturePermission> {
        Set(try remotePictureSettings().compactMap(RemotePicturePermission.init(setting:)))
    }

    /// Returns the names of the settings of all permissions.
    fileprivate func remotePictureSettings() throws -> [String] {
        try settings(beginningWith: RemotePicturePermission.settingPrefix).map(\.name)
    }

    func allowsRemotePictures(of message: MailMessage) throws -> Bool {
        if let name = RemotePicturePermission.mail(id: message.id).setting, try setting(name) != nil { return true }
        // A mail with several authors could hide a stranger behind the one who is allowed.
        guard message.from.count == 1, let sender = message.from.first, !message.keywords.contains(Keyword.junk),
            let name = RemotePicturePermission.sender(address: sender.email).setting, try setting(name) != nil
        else { return false }
        let junk = try StoreQuery(roles: [.junk]).fetch(self).map(\.id)
        return message.mailboxIDs.isDisjoint(with: junk)
    }
}

extension StoreWriter {
    /// Removes the permissions of mails that aren't on this device any more.
    func removePermissionsOfMissingMails() throws {
        for setting in try db.remotePictureSettings() {
            guard case .mail(let id) = RemotePicturePermission(setting: setting), try !db.exists(.email, id) else {
                continue
            }
            try set(setting: setting, to: nil)
        }
    }

    func removeRemotePicturePermissions() throws {
        for setting in try db.remotePictureSettings() { try set(setting: setting, to: nil) }
    }
}
