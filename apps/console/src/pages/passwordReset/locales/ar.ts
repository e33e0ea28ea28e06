import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'كلمة مرور جديدة',
  lead: 'لحساب {name}.',
  submit: 'تعيين كلمة المرور والدخول',
  consequences: 'تنتهي جلسات هذا الحساب في كل مكان آخر، ويبقى مفتاح API الخاص به كما هو.',
  until: 'الرابط صالح حتى {time} ولمرة واحدة.',
  done: 'تم تعيين كلمة المرور',
  signIn: 'إلى تسجيل الدخول',
} satisfies Texts<typeof en>
