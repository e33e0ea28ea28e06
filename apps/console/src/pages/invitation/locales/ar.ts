import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  account: 'الحساب',
  title: 'الانضمام إلى {project}',
  lead: 'دعاك {name} بصفة {role}.',
  as: 'تم تسجيل الدخول باسم {name}.',
  accept: 'قبول الدعوة',
  new: 'إنشاء حساب',
  known: 'استخدام حساب قائم',
  join: 'إنشاء حساب والانضمام',
  signIn: 'تسجيل الدخول والانضمام',
  until: 'الدعوة صالحة حتى {time} ولمرة واحدة.',
} satisfies Texts<typeof en>
