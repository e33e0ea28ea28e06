import type { Texts } from '../index.ts'
import type en from './en.ts'

export default {
  skip: 'الانتقال إلى المحتوى',
  loading: 'جارٍ التحميل…',
  retry: 'إعادة المحاولة',
  cancel: 'إلغاء',
  close: 'إغلاق',
  back: 'رجوع',
  scopes: {
    info: 'الاسم والصورة',
    phone: 'الدولة ورقم الهاتف',
    email: 'البريد الإلكتروني',
  },
  problem: 'حدث خطأ ما',
  problems: {
    unreachable: 'لا اتصال بـ Souk',
    unreadable: 'أرسل Souk ردًا غير متوقع',
    internal: 'حدث خطأ داخلي في Souk',
    unavailable: '‏Souk غير متاح مؤقتًا',
    session_invalid: 'انتهت جلستك، يُرجى تسجيل الدخول من جديد',
    sandbox_only: 'متاح في البيئة التجريبية فقط',
    user_not_found: 'لم يُعثر على المستخدم',
    app_not_found: 'لم يُعثر على التطبيق المصغّر',
    trade_not_found: 'لم يُعثر على الطلب',
  },
} satisfies Texts<typeof en>
