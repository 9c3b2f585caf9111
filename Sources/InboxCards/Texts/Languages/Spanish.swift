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
        case .search: "Buscar"
        case .noMatches: "Ningún mensaje coincide con la búsqueda."
        case .select: "Seleccionar"
        case .selectAll: "Seleccionar todo"
        case .cancel: "Cancelar"
        case .markAllAsRead: "Marcar todo como leído"
        case .pickDate: "Elegir una fecha…"
        case .laterToday: "Más tarde hoy"
        case .tomorrow: "Mañana"
        case .thisWeekend: "Este fin de semana"
        case .nextWeek: "La próxima semana"
        case .deleted: "Eliminado"
        case .markedAsRead: "Marcado como leído"
        case .markedAsUnread: "Marcado como no leído"
        case .movedToInbox: "Movido a la bandeja de entrada"
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
