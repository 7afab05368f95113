//! What customers asked and what the model answered, in several languages.

#[derive(Debug, Clone, Copy)]
pub(super) struct ReplyText {
    pub(super) language: &'static str,
    pub(super) question: &'static str,
    pub(super) subject: &'static str,
    pub(super) body: &'static str,
}

macro_rules! replies {
    ($($language:literal $question:literal $subject:literal $body:literal),+ $(,)?) => {
        &[$(ReplyText { language: $language, question: $question, subject: $subject, body: $body }),+]
    };
}

#[rustfmt::skip]
pub(super) const REPLIES: &[ReplyText] = replies![
    "en" "My teapot arrived with a crack. I would like a new one or my money back." "Your cracked teapot" "Dear customer,\n\nI am sorry about the crack. A new teapot leaves our house tomorrow; please keep the old one for your plants.\n\nKind regards\nThe service team",
    "nb" "Hvor blir det av pakken min? Sporingen har stått stille i fem dager." "Pakken din står i Trondheim" "Hei,\n\npakken ble liggende i Trondheim over helgen. Den er på bilen nå og kommer på tirsdag.\n\nVennlig hilsen\nKundeservice 🙂",
    "de" "Ich habe zweimal bezahlt. Bitte erstatten Sie mir die doppelte Zahlung." "Ihre doppelte Zahlung" "Guten Tag,\n\nwir haben die zweite Zahlung gefunden und erstatten sie auf dem Weg, auf dem sie kam. Das dauert drei Bankarbeitstage.\n\nMit freundlichen Grüßen",
    "ja" "領収書の宛名を会社名に変更していただけますか。" "領収書の宛名について" "お問い合わせありがとうございます。\n\n宛名を変更した領収書を本日お送りいたします。\n\nよろしくお願いいたします。",
    "ar" "وصل الطلب ناقصًا: كوب واحد بدلًا من اثنين." "بخصوص طلبك الناقص ☕" "مرحبًا،\n\nنعتذر عن النقص. أرسلنا الكوب الثاني اليوم (رقم الشحنة 1Z-4417).\n\nمع التحية\nفريق الخدمة",
    "he" "ביקשתי לבטל את ההזמנה לפני שלושה ימים ואין תשובה." "ביטול הזמנה #4417" "שלום,\n\nההזמנה בוטלה וההחזר על סך ₪ 199.90 בדרך. אסמכתא: 7F-20871.\n\nתודה רבה 🙏🏽",
    "fr" "Le code TAKK10 ne fonctionne pas, pourquoi ?" "Votre code de réduction" "Bonjour,\n\nle code n’était valable que jusqu’à dimanche. Nous l’avons prolongé pour vous jusqu’à vendredi.\n\nBien à vous",
    "en" "Can I change the delivery address? I have moved." "Your new address" "Hello,\n\nyes: your parcel has not left yet and will go to the new address. 📦\n\nKind regards",
    "es" "¿Cuándo vuelve a estar disponible la tetera verde?" "La tetera verde" "Hola:\n\nla esperamos para el 12 de diciembre. Le avisaremos el mismo día.\n\nUn saludo",
];
