import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'الحسابات',
  lead: 'المطوّرون والمشغّلون الذين يسجّلون الدخول إلى لوحة التحكم هذه.',
  account: 'الحساب',
  state: 'الحالة',
  enabled: 'مفعّل',
  disabled: 'معطّل',
  administrator: 'مدير',
  secondFactor: 'العامل الثاني',
  factorPresent: 'موجود',
  factorMissing: 'غير موجود',
  lastSignIn: 'آخر تسجيل دخول',
  actions: 'الإجراءات',
  actionsFor: 'إجراءات {name}',
  endSessions: 'إنهاء الجلسات',
  endTitle: 'إنهاء جميع جلسات {name}؟',
  endText: 'يُسجَّل خروج الحساب من كل المتصفحات، ويمكنه تسجيل الدخول من جديد.',
  ended: 'انتهت جلسات {name}',
  resetFactors: 'إعادة تعيين العوامل الثانية',
  resetTitle: 'إعادة تعيين العوامل الثانية لـ {name}؟',
  resetText:
    'تُحذف مفاتيح المرور وتطبيق المصادقة ورموز الاسترداد، وتنتهي الجلسات. يسجّل الحساب الدخول بكلمة المرور فقط إلى أن يضيف عاملًا آخر. تأكّد أولًا من أن الطلب من الشخص نفسه.',
  reset: 'أُعيد تعيين العوامل الثانية لـ {name}',
} satisfies Texts<typeof en>
