/// The texts in Arabic.
///
/// Actions are verbal nouns, which are neutral in gender. Labels agree with the feminine noun for a message.
enum Arabic {
    static func text(_ text: CardText) -> String {
        switch text {
        case .inbox: "صندوق الوارد"
        case .screenTitle: "صندوق الوارد"
        case .loading: "جارٍ التحميل…"
        case .noCards: "لا تتوفر بطاقات محتوى"
        case .emptyTitle: "صندوق الوارد فارغ"
        case .emptyMessage: "لا توجد رسائل بعد."
        case .loadingFailed: "حدث خطأ أثناء تحميل صندوق الوارد"
        case .errorTitle: "حدث خطأ ما"
        case .errorMessage: "تعذّر استرداد الرسائل."
        case .tryAgain: "إعادة المحاولة"
        case .refresh: "تحديث"
        case .loadMore: "تحميل المزيد"
        case .newMessages: "رسائل جديدة"
        case .offline: "لا يوجد اتصال بالإنترنت. قد لا تكون الرسائل محدّثة."
        case .actionFailed: "تعذّر إكمال الإجراء. يُرجى المحاولة مرة أخرى."
        case .message: "رسالة"
        case .seeMore: "عرض المزيد"
        case .unread: "غير مقروءة"
        case .pinned: "مثبّتة"
        case .archived: "مؤرشفة"
        case .snoozed: "مؤجّلة"
        case .dismissed: "تم تجاهلها"
        case .messageGone: "لم تعد هذه الرسالة متاحة."
        case .open: "فتح"
        case .back: "رجوع"
        case .close: "إغلاق"
        case .dismiss: "تجاهل"
        case .markAsRead: "تمييز كمقروءة"
        case .markAsUnread: "تمييز كغير مقروءة"
        case .archive: "أرشفة"
        case .moveToInbox: "نقل إلى صندوق الوارد"
        case .delete: "حذف"
        case .undo: "تراجع"
        case .remindLater: "التذكير لاحقًا"
        case .actions: "الإجراءات"
        case .search: "بحث"
        case .noMatches: "لا توجد رسائل مطابقة للبحث."
        case .select: "تحديد"
        case .selectAll: "تحديد الكل"
        case .cancel: "إلغاء"
        case .markAllAsRead: "وضع علامة مقروء على الكل"
        case .pickDate: "اختيار تاريخ…"
        case .laterToday: "لاحقًا اليوم"
        case .tomorrow: "غدًا"
        case .thisWeekend: "نهاية هذا الأسبوع"
        case .nextWeek: "الأسبوع القادم"
        case .deleted: "تم الحذف"
        case .markedAsRead: "تم وضع علامة مقروء"
        case .markedAsUnread: "تم وضع علامة غير مقروء"
        case .movedToInbox: "تم النقل إلى صندوق الوارد"
        case .skipToMessages: "الانتقال إلى الرسائل"
        case .signIn: "تسجيل الدخول"
        case .signOut: "تسجيل الخروج"
        case .token: "رمز الوصول"
        case .wrongToken: "هذا الرمز غير صالح أو انتهت صلاحيته."
        case .linkEnded: "استُخدم هذا الرابط من قبل أو انتهت صلاحيته."
        case .signInAgain: "انتهت صلاحية الجلسة. يُرجى تسجيل الدخول مرة أخرى."
        case .secureConnectionNeeded: "يتطلب تسجيل الدخول اتصالًا آمنًا."
        case .nothingHere: "لا يوجد شيء في هذا العنوان."
        case .ownPageOnly: "لا يمكن القيام بذلك إلا من صفحة صندوق الوارد نفسها."
        case .justNow: "قبل لحظات"
        case .now: "الآن"
        }
    }

    static let unreadMessages = PluralText(
        zero: "لا توجد رسائل غير مقروءة",
        one: "رسالة واحدة غير مقروءة",
        two: "رسالتان غير مقروءتين",
        few: "{count} رسائل غير مقروءة",
        many: "{count} رسالة غير مقروءة",
        other: "{count} رسالة غير مقروءة"
    )
}
