/// The texts in Japanese.
///
/// Sentences are in the polite form and end with a full stop. Titles and buttons have none.
enum Japanese {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "受信トレイ"
        case .screenTitle: "受信トレイ"
        case .loading: "読み込み中…"
        case .noCards: "表示できるコンテンツカードはありません"
        case .emptyTitle: "受信トレイは空です"
        case .emptyMessage: "メッセージはまだありません。"
        case .loadingFailed: "受信トレイの読み込み中にエラーが発生しました"
        case .errorTitle: "問題が発生しました"
        case .errorMessage: "メッセージを取得できませんでした。"
        case .tryAgain: "再試行"
        case .refresh: "更新"
        case .loadMore: "さらに読み込む"
        case .newMessages: "新着メッセージ"
        case .offline: "オフラインです。メッセージが最新ではない可能性があります。"
        case .actionFailed: "操作を完了できませんでした。もう一度お試しください。"
        case .message: "メッセージ"
        case .seeMore: "もっと見る"
        case .unread: "未読"
        case .pinned: "固定済み"
        case .archived: "アーカイブ済み"
        case .snoozed: "スヌーズ中"
        case .dismissed: "非表示"
        case .messageGone: "このメッセージは表示できなくなりました。"
        case .open: "開く"
        case .back: "戻る"
        case .close: "閉じる"
        case .dismiss: "非表示にする"
        case .markAsRead: "既読にする"
        case .markAsUnread: "未読にする"
        case .archive: "アーカイブ"
        case .moveToInbox: "受信トレイに移動"
        case .delete: "削除"
        case .undo: "取り消す"
        case .remindLater: "後で通知"
        case .actions: "操作"
        case .skipToMessages: "メッセージに移動"
        case .signIn: "サインイン"
        case .signOut: "サインアウト"
        case .token: "アクセストークン"
        case .wrongToken: "このトークンは無効か、有効期限が切れています。"
        case .linkEnded: "このリンクは使用済みか、有効期限が切れています。"
        case .signInAgain: "セッションの有効期限が切れました。もう一度サインインしてください。"
        case .secureConnectionNeeded: "サインインするには安全な接続が必要です。"
        case .nothingHere: "このアドレスには何もありません。"
        case .ownPageOnly: "この操作は受信トレイのページでのみ行えます。"
        case .justNow: "たった今"
        case .now: "今"
        }
    }

    static let unreadMessages = PluralText(
        zero: "未読メッセージはありません",
        other: "未読メッセージ{count}件"
    )
}
