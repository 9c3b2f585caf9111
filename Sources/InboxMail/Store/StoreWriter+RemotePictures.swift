import GRDB
import Replica

extension Database {
    func remotePicturePermissions() throws -> Set<RemotePicturePermission> {
        let settings = try settings(beginningWith: RemotePicturePermission.settingPrefix)
        return Set(settings.keys.compactMap(RemotePicturePermission.init(setting:)))
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
        for permission in try db.remotePicturePermissions() {
            guard case .mail(let id) = permission, let setting = permission.setting, try !db.exists(.email, id) else {
                continue
            }
            try set(setting: setting, to: nil)
        }
    }

    func removeRemotePicturePermissions() throws {
        for permission in try db.remotePicturePermissions() {
            if let setting = permission.setting { try set(setting: setting, to: nil) }
        }
    }
}
