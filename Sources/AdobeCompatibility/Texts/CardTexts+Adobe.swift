import InboxCards

/// The texts of Adobe's screens. In English they are those of Adobe's SDK, in other languages they mean the same.
extension CardTexts {
    /// The texts of the first supported language, with Adobe's own in English.
    static func adobe(preferring tags: some Sequence<String>) -> CardTexts {
        let texts = CardTexts(preferring: tags)
        guard texts.language == .english else { return texts }
        return texts.replacing([.loading: "Loading...", .tryAgain: "Try Again"])
    }

    /// The text of an inbox without cards, if the settings contain none.
    var noCards: String {
        switch language {
        case .english: "No content cards available"
        case .arabic: "لا تتوفر بطاقات محتوى"
        case .french: "Aucune carte de contenu disponible"
        case .german: "Keine Inhaltskarten verfügbar"
        case .hebrew: "אין כרטיסי תוכן זמינים"
        case .japanese: "表示できるコンテンツカードはありません"
        case .portuguese: "Nenhum cartão de conteúdo disponível"
        case .spanish: "No hay tarjetas de contenido disponibles"
        }
    }

    /// The text of an inbox that failed to load, if the settings contain none.
    var loadingFailed: String {
        switch language {
        case .english: "An error occurred while loading your inbox"
        case .arabic: "حدث خطأ أثناء تحميل صندوق الوارد"
        case .french: "Une erreur s’est produite lors du chargement de votre boîte de réception"
        case .german: "Beim Laden des Posteingangs ist ein Fehler aufgetreten"
        case .hebrew: "אירעה שגיאה בעת טעינת תיבת ההודעות"
        case .japanese: "受信トレイの読み込み中にエラーが発生しました"
        case .portuguese: "Ocorreu um erro ao carregar a caixa de entrada"
        case .spanish: "Se produjo un error al cargar la bandeja de entrada"
        }
    }
}
