import Foundation
import Groundwork

/// A person's permission to load pictures from the web, for a mail or for a sender.
///
/// A picture on the web shows its server when and where a mail is read, so none is loaded without a permission. It is
/// kept on this device, and erased at sign-out.
public enum RemotePicturePermission: Hashable, Sendable {
    /// A permission for a mail, by its id. It lasts at least as long as the mail is on this device.
    case mail(id: String)
    /// A permission for all mails of an address, whatever its case and Unicode form.
    ///
    /// The address of a sender can be forged: a permission for it holds for each mail that states it. It isn't
    /// honoured for mails that are marked as junk (`$junk`, or in the mailbox for junk), or that state several authors.
    case sender(address: String)
}

extension RemotePicturePermission {
    private static let mailPrefix = "remote pictures of mail "
    private static let senderPrefix = "remote pictures from "

    /// The beginning of all settings of permissions.
    static let settingPrefix = "remote pictures "

    /// The longest id or address of a permission, in bytes.
    static let maxLength = 512

    /// The name of the permission's setting; nil if its id or address is empty or too long.
    var setting: String? {
        let (prefix, text) =
            switch self {
            case .mail(let id): (Self.mailPrefix, id)
            case .sender(let address): (Self.senderPrefix, Self.normalForm(of: address))
            }
        return text.isEmpty || text.utf8.count > Self.maxLength ? nil : prefix + text
    }

    init?(setting: String) {
        if setting.hasPrefix(Self.mailPrefix) {
            self = .mail(id: String(setting.dropFirst(Self.mailPrefix.count)))
        } else if setting.hasPrefix(Self.senderPrefix) {
            self = .sender(address: String(setting.dropFirst(Self.senderPrefix.count)))
        } else {
            return nil
        }
    }

    /// Returns an address in the form in which two are compared.
    private static func normalForm(of address: String) -> String {
        address.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().normalized
    }
}
