import Foundation
import Groundwork
import InboxModel

extension PersonalTable {
    /// The time at which the person's tokens were revoked.
    static let tokenEnds = PersonalTable(
        table: "tokenEnd",
        name: "tokenEnds",
        isByName: true,
        keys: "SELECT personName FROM tokenEnd WHERE personName = ?1",
        key: String.self,
        row: "SELECT at FROM tokenEnd WHERE personName = ?1 AND personName = ?2",
        json: { row in ["at": JSON(Date(milliseconds: row[0]))] },
        erase: "DELETE FROM tokenEnd WHERE personName = ?1"
    )

    /// The tokens with which the person signed out.
    static let endedTokens = PersonalTable(
        table: "endedToken",
        name: "endedTokens",
        isByName: true,
        keys: "SELECT token FROM endedToken WHERE personName = ?1 ORDER BY token",
        key: Data.self,
        row: "SELECT expiresAt FROM endedToken WHERE personName = ?1 AND token = ?2",
        json: { row in ["expiresAt": JSON(Date(milliseconds: row[0]))] },
        erase: "DELETE FROM endedToken WHERE personName = ?1"
    )
}
