/// The texts in Hebrew.
///
/// Actions are verbal nouns, which are neutral in gender. Labels agree with the feminine noun for a message.
enum Hebrew {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "תיבת הודעות"
        case .screenTitle: "תיבת הודעות"
        case .loading: "בטעינה…"
        case .noCards: "אין כרטיסי תוכן זמינים"
        case .emptyTitle: "תיבת ההודעות ריקה"
        case .emptyMessage: "עדיין אין הודעות."
        case .loadingFailed: "אירעה שגיאה בעת טעינת תיבת ההודעות"
        case .errorTitle: "משהו השתבש"
        case .errorMessage: "לא ניתן היה לאחזר את ההודעות."
        case .tryAgain: "ניסיון חוזר"
        case .refresh: "רענון"
        case .loadMore: "טעינת הודעות נוספות"
        case .newMessages: "הודעות חדשות"
        case .offline: "אין חיבור לאינטרנט. ייתכן שההודעות אינן מעודכנות."
        case .actionFailed: "לא ניתן היה להשלים את הפעולה. יש לנסות שוב."
        case .message: "הודעה"
        case .seeMore: "הצגת עוד"
        case .unread: "לא נקראה"
        case .pinned: "מוצמדת"
        case .archived: "בארכיון"
        case .snoozed: "נדחתה"
        case .dismissed: "הוסתרה"
        case .messageGone: "הודעה זו אינה זמינה עוד."
        case .open: "פתיחה"
        case .back: "חזרה"
        case .close: "סגירה"
        case .dismiss: "הסתרה"
        case .markAsRead: "סימון כנקראה"
        case .markAsUnread: "סימון כלא נקראה"
        case .archive: "העברה לארכיון"
        case .moveToInbox: "העברה לתיבת ההודעות"
        case .delete: "מחיקה"
        case .undo: "ביטול הפעולה"
        case .remindLater: "תזכורת במועד מאוחר יותר"
        case .actions: "פעולות"
        case .search: "חיפוש"
        case .noMatches: "אין הודעות שתואמות לחיפוש."
        case .select: "בחירה"
        case .selectAll: "בחירת הכול"
        case .cancel: "ביטול"
        case .markAllAsRead: "סימון הכול כנקרא"
        case .pickDate: "בחירת תאריך…"
        case .laterToday: "מאוחר יותר היום"
        case .tomorrow: "מחר"
        case .thisWeekend: "בסוף השבוע"
        case .nextWeek: "בשבוע הבא"
        case .deleted: "נמחקה"
        case .markedAsRead: "סומנה כנקראה"
        case .markedAsUnread: "סומנה כלא נקראה"
        case .movedToInbox: "הועברה לתיבת הדואר"
        case .skipToMessages: "דילוג אל ההודעות"
        case .signIn: "התחברות"
        case .signOut: "התנתקות"
        case .token: "אסימון גישה"
        case .wrongToken: "האסימון אינו תקין או שתוקפו פג."
        case .linkEnded: "הקישור הזה כבר נוצל או שתוקפו פג."
        case .signInAgain: "תוקף ההתחברות פג. יש להתחבר מחדש."
        case .secureConnectionNeeded: "להתחברות נדרש חיבור מאובטח."
        case .nothingHere: "אין דבר בכתובת זו."
        case .ownPageOnly: "ניתן לעשות זאת רק בדף של תיבת ההודעות עצמה."
        case .justNow: "לפני רגע"
        case .now: "עכשיו"
        }
    }

    static let unreadMessages = PluralText(
        zero: "אין הודעות שלא נקראו",
        one: "הודעה אחת שלא נקראה",
        two: "שתי הודעות שלא נקראו",
        other: "{count} הודעות שלא נקראו"
    )
}
