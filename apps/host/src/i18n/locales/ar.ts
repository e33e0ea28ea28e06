import type { Texts } from '../index.ts'
import type en from './en.ts'

export default {
  skip: 'الانتقال إلى المحتوى',
  loading: 'جارٍ التحميل',
  retry: 'إعادة المحاولة',
  cancel: 'إلغاء',
  close: 'إغلاق',
  back: 'رجوع',
  scopes: {
    info: 'الاسم والصورة والبريد الإلكتروني',
    phone: 'الدولة ورقم الهاتف',
    email: 'البريد الإلكتروني',
  },
  problem: 'لم تنجح العملية',
  problems: {
    unreachable: 'لا اتصال بـ Souk',
    unreadable: 'تعذّرت قراءة الرد',
    internal: 'تعذّر على Souk الرد',
    unavailable: 'لا يستطيع Souk الرد حاليًا',
    session_invalid: 'انتهت جلستك، يُرجى تسجيل الدخول من جديد',
    sandbox_only: 'هذا متاح في البيئة التجريبية فقط',
    user_not_found: 'لا يوجد مستخدم كهذا',
    app_not_found: 'لا يوجد تطبيق مصغّر كهذا',
    trade_not_found: 'لا يوجد طلب كهذا',
  },
} satisfies Texts<typeof en>
