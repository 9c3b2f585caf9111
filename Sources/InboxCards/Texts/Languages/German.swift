/// The texts in German.
///
/// They avoid addressing the reader where possible, so that neither *du* nor *Sie* is required.
enum German {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "Posteingang"
        case .screenTitle: "Posteingang"
        case .loading: "Wird geladen\u{A0}…"
        case .noCards: "Keine Inhaltskarten verfügbar"
        case .emptyTitle: "Posteingang leer"
        case .emptyMessage: "Es sind noch keine Nachrichten vorhanden."
        case .loadingFailed: "Beim Laden des Posteingangs ist ein Fehler aufgetreten"
        case .errorTitle: "Etwas ist schiefgelaufen"
        case .errorMessage: "Die Nachrichten konnten nicht abgerufen werden."
        case .tryAgain: "Erneut versuchen"
        case .refresh: "Aktualisieren"
        case .loadMore: "Mehr laden"
        case .newMessages: "Neue Nachrichten"
        case .offline: "Offline. Die Nachrichten sind möglicherweise nicht aktuell."
        case .actionFailed: "Das hat nicht funktioniert. Bitte erneut versuchen."
        case .message: "Nachricht"
        case .seeMore: "Mehr anzeigen"
        case .unread: "Ungelesen"
        case .pinned: "Angeheftet"
        case .archived: "Archiviert"
        case .snoozed: "Zurückgestellt"
        case .dismissed: "Ausgeblendet"
        case .messageGone: "Diese Nachricht ist nicht mehr verfügbar."
        case .messageFailed: "Die Nachricht konnte nicht angezeigt werden."
        case .open: "Öffnen"
        case .back: "Zurück"
        case .close: "Schließen"
        case .dismiss: "Ausblenden"
        case .markAsRead: "Als gelesen markieren"
        case .markAsUnread: "Als ungelesen markieren"
        case .archive: "Archivieren"
        case .moveToInbox: "In den Posteingang verschieben"
        case .delete: "Löschen"
        case .undo: "Rückgängig machen"
        case .remindLater: "Später erinnern"
        case .actions: "Aktionen"
        case .noText: "Diese Mail hat keinen Text."
        case .mailTruncated: "Die Mail ist länger als das, was hier steht."
        case .remotePicturesHidden: "Bilder aus dem Web werden nicht angezeigt"
        case .showPictures: "Anzeigen"
        case .alwaysShowPictures: "Von diesem Absender immer anzeigen"
        case .picturesFailed: "Die Bilder konnten nicht geladen werden."
        case .trackersRemoved: "Entfernte Zählpixel"
        case .showQuotedText: "Zitierten Text anzeigen"
        case .hideQuotedText: "Zitierten Text ausblenden"
        case .showSignature: "Signatur anzeigen"
        case .hideSignature: "Signatur ausblenden"
        case .skipToMessages: "Zu den Nachrichten springen"
        case .signIn: "Anmelden"
        case .signOut: "Abmelden"
        case .token: "Zugangstoken"
        case .wrongToken: "Dieses Token ist ungültig oder abgelaufen."
        case .linkEnded: "Dieser Link wurde schon benutzt oder ist abgelaufen."
        case .signInAgain: "Die Sitzung ist abgelaufen. Bitte erneut anmelden."
        case .secureConnectionNeeded: "Zum Anmelden ist eine sichere Verbindung nötig."
        case .nothingHere: "Unter dieser Adresse gibt es nichts."
        case .ownPageOnly: "Das geht nur auf der Seite des Posteingangs selbst."
        case .justNow: "gerade eben"
        case .now: "jetzt"
        }
    }

    static let unreadMessages = PluralText(
        zero: "Keine ungelesenen Nachrichten",
        one: "{count} ungelesene Nachricht",
        other: "{count} ungelesene Nachrichten"
    )
}
