/// The texts in French.
///
/// Labels agree with *message*, which is masculine. A number and its noun stay on one line.
enum French {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "Boîte de réception"
        case .screenTitle: "Boîte de réception"
        case .loading: "Chargement…"
        case .noCards: "Aucune carte de contenu disponible"
        case .emptyTitle: "Boîte de réception vide"
        case .emptyMessage: "Vous n’avez pas encore de messages."
        case .loadingFailed: "Une erreur s’est produite lors du chargement de votre boîte de réception"
        case .errorTitle: "Un problème est survenu"
        case .errorMessage: "Impossible de récupérer vos messages."
        case .tryAgain: "Réessayer"
        case .refresh: "Actualiser"
        case .loadMore: "Afficher plus de messages"
        case .newMessages: "Nouveaux messages"
        case .offline: "Vous êtes hors ligne. Les messages ne sont peut-être pas à jour."
        case .actionFailed: "L’opération a échoué. Veuillez réessayer."
        case .message: "Message"
        case .seeMore: "Voir plus"
        case .unread: "Non lu"
        case .pinned: "Épinglé"
        case .archived: "Archivé"
        case .snoozed: "Reporté"
        case .dismissed: "Ignoré"
        case .messageGone: "Ce message n’est plus disponible."
        case .open: "Ouvrir"
        case .back: "Retour"
        case .close: "Fermer"
        case .dismiss: "Ignorer"
        case .markAsRead: "Marquer comme lu"
        case .markAsUnread: "Marquer comme non lu"
        case .archive: "Archiver"
        case .moveToInbox: "Déplacer vers la boîte de réception"
        case .delete: "Supprimer"
        case .undo: "Annuler"
        case .remindLater: "Me le rappeler plus tard"
        case .actions: "Actions"
        case .search: "Rechercher"
        case .noMatches: "Aucun message ne correspond à votre recherche."
        case .select: "Sélectionner"
        case .selectAll: "Tout sélectionner"
        case .cancel: "Annuler"
        case .markAllAsRead: "Tout marquer comme lu"
        case .pickDate: "Choisir une date…"
        case .laterToday: "Plus tard aujourd’hui"
        case .tomorrow: "Demain"
        case .thisWeekend: "Ce week-end"
        case .nextWeek: "La semaine prochaine"
        case .deleted: "Supprimé"
        case .markedAsRead: "Marqué comme lu"
        case .markedAsUnread: "Marqué comme non lu"
        case .movedToInbox: "Déplacé vers la boîte de réception"
        case .skipToMessages: "Aller aux messages"
        case .signIn: "Se connecter"
        case .signOut: "Se déconnecter"
        case .token: "Jeton d’accès"
        case .wrongToken: "Ce jeton n’est pas valide ou a expiré."
        case .linkEnded: "Ce lien a déjà été utilisé ou a expiré."
        case .signInAgain: "Votre session a expiré. Veuillez vous reconnecter."
        case .secureConnectionNeeded: "Une connexion sécurisée est nécessaire pour se connecter."
        case .nothingHere: "Il n’y a rien à cette adresse."
        case .ownPageOnly: "Cela n’est possible que sur la page de la boîte de réception."
        case .justNow: "à l’instant"
        case .now: "maintenant"
        }
    }

    static let unreadMessages = PluralText(
        zero: "Aucun message non lu",
        one: "{count}\u{A0}message non lu",
        many: "{count}\u{A0}de messages non lus",
        other: "{count}\u{A0}messages non lus"
    )
}
