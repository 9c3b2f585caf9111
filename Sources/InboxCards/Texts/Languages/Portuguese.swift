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
        case .messageFailed: "Não foi possível mostrar a mensagem."
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
        case .noText: "Este e-mail não tem texto."
        case .mailTruncated: "O e-mail é mais longo do que o mostrado aqui."
        case .remotePicturesHidden: "As imagens da web não são mostradas"
        case .showPictures: "Mostrar"
        case .alwaysShowPictures: "Mostrar sempre deste remetente"
        case .picturesFailed: "Não foi possível carregar as imagens."
        case .trackersRemoved: "Píxeis de rastreamento removidos"
        case .showQuotedText: "Mostrar o texto citado"
        case .hideQuotedText: "Ocultar o texto citado"
        case .showSignature: "Mostrar a assinatura"
        case .hideSignature: "Ocultar a assinatura"
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
