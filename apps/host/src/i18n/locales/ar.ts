import type { Texts } from '../index.ts'
import type en from './en.ts'

export default {
  skip: 'التخطي إلى المحتوى',
  loading: 'جارٍ التحميل…',
  retry: 'إعادة المحاولة',
  cancel: 'إلغاء',
  close: 'إغلاق',
  back: 'رجوع',
  answered: 'رُدّ على ملاحظاتك. انظر «حسابي».',
  scopes: {
    info: 'الاسم والصورة ومعرّف أُنشئ خصيصًا له',
    unset: 'غير متوفر',
    phone: 'الدولة ورقم الهاتف',
    email: 'البريد الإلكتروني',
  },
  problem: 'حدث خطأ ما',
  problems: {
    unreachable: 'لا اتصال بـ Souk',
    unreadable: 'أرسل Souk استجابة غير متوقعة',
    internal: 'حدث خطأ داخلي في Souk',
    unavailable: '‏Souk غير متاح مؤقتًا',
    read_only: '‏لا يقبل Souk التغييرات حاليًا',
    session_invalid: 'انتهت جلستك، يُرجى تسجيل الدخول من جديد',
    sandbox_only: 'متاح في البيئة التجريبية فقط',
    user_not_found: 'المستخدم غير موجود',
    app_not_found: 'التطبيق المصغّر غير موجود',
    trade_not_found: 'الطلب غير موجود',
    sign_in_not_started: 'استغرق تسجيل الدخول وقتًا طويلًا أو بدأ في متصفح آخر',
    sign_in_state_wrong: 'انقطع تسجيل الدخول',
    authorization_refused: 'أُلغي تسجيل الدخول',
    authorization_code_refused: 'تعذّر تأكيد تسجيل الدخول',
    issuer_unavailable: 'خدمة تسجيل الدخول غير متاحة',
    issuer_not_found: 'لم يعد تسجيل الدخول من هناك ممكنًا',
    user_disabled: 'عُطّل وصولك',
    rate_limited: 'محاولات كثيرة جدًا. أعد المحاولة بعد قليل',
  },
} satisfies Texts<typeof en>
