import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'انضم إلى {project}',
  lead: 'يدعوك {name} بصفة {role}.',
  as: 'أنت مسجّل الدخول باسم {name}.',
  accept: 'قبول الدعوة',
  new: 'أنا جديد هنا',
  known: 'لدي حساب',
  join: 'إنشاء حساب والانضمام',
  signIn: 'تسجيل الدخول والانضمام',
  until: 'الدعوة صالحة حتى {time} ولمرة واحدة.',
} satisfies Texts<typeof en>
