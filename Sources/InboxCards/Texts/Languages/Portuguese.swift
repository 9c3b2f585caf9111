/// The texts in Brazilian Portuguese.
///
/// Labels agree with *mensagem*, which is feminine.
enum Portuguese {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "Caixa de entrada"
        case .screenTitle: "Caixa de entrada"
        case .loading: "Carregando…"
        case .noCards: "Nenhum cartão de conteúdo disponível"
        case .emptyTitle: "Caixa de entrada vazia"
        case .emptyMessage: "Ainda não há mensagens."
        case .loadingFailed: "Ocorreu um erro ao carregar a caixa de entrada"
        case .errorTitle: "Ocorreu um problema"
        case .errorMessage: "Não foi possível obter as mensagens."
        case .tryAgain: "Tentar novamente"
        case .refresh: "Atualizar"
        case .loadMore: "Carregar mais"
        case .newMessages: "Novas mensagens"
        case .offline: "Sem conexão. As mensagens podem estar desatualizadas."
        case .actionFailed: "Não foi possível concluir a ação. Tente novamente."
        case .message: "Mensagem"
        case .seeMore: "Ver mais"
        case .unread: "Não lida"
        case .pinned: "Fixada"
        case .archived: "Arquivada"
        case .snoozed: "Adiada"
        case .dismissed: "Dispensada"
        case .messageGone: "Esta mensagem não está mais disponível."
        case .open: "Abrir"
        case .back: "Voltar"
        case .close: "Fechar"
        case .dismiss: "Dispensar"
        case .markAsRead: "Marcar como lida"
        case .markAsUnread: "Marcar como não lida"
        case .archive: "Arquivar"
        case .moveToInbox: "Mover para a caixa de entrada"
        case .delete: "Apagar"
        case .undo: "Desfazer"
        case .remindLater: "Lembrar mais tarde"
        case .actions: "Ações"
        case .search: "Buscar"
        case .noMatches: "Nenhuma mensagem corresponde à busca."
        case .select: "Selecionar"
        case .selectAll: "Selecionar tudo"
        case .cancel: "Cancelar"
        case .markAllAsRead: "Marcar tudo como lido"
        case .pickDate: "Escolher uma data…"
        case .laterToday: "Mais tarde hoje"
        case .tomorrow: "Amanhã"
        case .thisWeekend: "Neste fim de semana"
        case .nextWeek: "Na próxima semana"
        case .deleted: "Apagada"
        case .markedAsRead: "Marcada como lida"
        case .markedAsUnread: "Marcada como não lida"
        case .movedToInbox: "Movida para a caixa de entrada"
        case .skipToMessages: "Ir para as mensagens"
        case .signIn: "Entrar"
        case .signOut: "Sair"
        case .token: "Token de acesso"
        case .wrongToken: "O token é inválido ou expirou."
        case .linkEnded: "Este link já foi usado ou expirou."
        case .signInAgain: "A sessão expirou. Entre novamente."
        case .secureConnectionNeeded: "Para entrar, é necessária uma conexão segura."
        case .nothingHere: "Não há nada neste endereço."
        case .ownPageOnly: "Isso só pode ser feito na página da caixa de entrada."
        case .justNow: "agora mesmo"
        case .now: "agora"
        }
    }

    static let unreadMessages = PluralText(
        zero: "Nenhuma mensagem não lida",
        one: "{count} mensagem não lida",
        many: "{count} de mensagens não lidas",
        other: "{count} mensagens não lidas"
    )
}
