import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'إعادة تعيين كلمة المرور',
  lead: 'الحساب: {name}',
  submit: 'تعيين كلمة المرور وتسجيل الدخول',
  consequences: 'تنتهي جميع الجلسات الأخرى لهذا الحساب، ويبقى مفتاح API الخاص به صالحًا.',
  until: 'الرابط صالح حتى {time} ولمرة واحدة.',
  done: 'تم تغيير كلمة المرور',
  signIn: 'تسجيل الدخول',
} satisfies Texts<typeof en>
