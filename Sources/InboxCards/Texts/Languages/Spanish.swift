/// The texts in Spanish.
///
/// Words are common to Spain and Latin America, and the reader is addressed as *usted*. Labels agree with *mensaje*,
/// which is masculine.
enum Spanish {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "Bandeja de entrada"
        case .screenTitle: "Bandeja de entrada"
        case .loading: "Cargando…"
        case .noCards: "No hay tarjetas de contenido disponibles"
        case .emptyTitle: "Bandeja de entrada vacía"
        case .emptyMessage: "Todavía no hay mensajes."
        case .loadingFailed: "Se produjo un error al cargar la bandeja de entrada"
        case .errorTitle: "Ocurrió un problema"
        case .errorMessage: "No se pudieron obtener los mensajes."
        case .tryAgain: "Reintentar"
        case .refresh: "Actualizar"
        case .loadMore: "Cargar más"
        case .newMessages: "Mensajes nuevos"
        case .offline: "Sin conexión. Es posible que los mensajes no estén actualizados."
        case .actionFailed: "No se pudo completar la acción. Inténtelo de nuevo."
        case .message: "Mensaje"
        case .seeMore: "Ver más"
        case .unread: "No leído"
        case .pinned: "Fijado"
        case .archived: "Archivado"
        case .snoozed: "Pospuesto"
        case .dismissed: "Descartado"
        case .messageGone: "Este mensaje ya no está disponible."
        case .messageFailed: "No se ha podido mostrar el mensaje."
        case .open: "Abrir"
        case .back: "Atrás"
        case .close: "Cerrar"
        case .dismiss: "Descartar"
        case .markAsRead: "Marcar como leído"
        case .markAsUnread: "Marcar como no leído"
        case .archive: "Archivar"
        case .moveToInbox: "Mover a la bandeja de entrada"
        case .delete: "Eliminar"
        case .undo: "Deshacer"
        case .remindLater: "Recordar más tarde"
        case .actions: "Acciones"
        case .noText: "Este correo no tiene texto."
        case .mailTruncated: "El correo es más largo de lo que se muestra aquí."
        case .remotePicturesHidden: "No se muestran las imágenes de la web"
        case .showPictures: "Mostrar"
        case .alwaysShowPictures: "Mostrar siempre de este remitente"
        case .picturesFailed: "No se han podido cargar las imágenes."
        case .trackersRemoved: "Píxeles de seguimiento eliminados"
        case .showQuotedText: "Mostrar el texto citado"
        case .hideQuotedText: "Ocultar el texto citado"
        case .showSignature: "Mostrar la firma"
        case .hideSignature: "Ocultar la firma"
        case .skipToMessages: "Ir a los mensajes"
        case .signIn: "Iniciar sesión"
        case .signOut: "Cerrar sesión"
        case .token: "Token de acceso"
        case .wrongToken: "El token no es válido o ha caducado."
        case .linkEnded: "Este enlace ya se ha usado o ha caducado."
        case .signInAgain: "La sesión ha caducado. Inicie sesión de nuevo."
        case .secureConnectionNeeded: "Para iniciar sesión se necesita una conexión segura."
        case .nothingHere: "No hay nada en esta dirección."
        case .ownPageOnly: "Esto solo se puede hacer en la página de la bandeja de entrada."
        case .justNow: "hace un momento"
        case .now: "ahora"
        }
    }

    static let unreadMessages = PluralText(
        zero: "No hay mensajes no leídos",
        one: "{count} mensaje no leído",
        many: "{count} de mensajes no leídos",
        other: "{count} mensajes no leídos"
    )
}
