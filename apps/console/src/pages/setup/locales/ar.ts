import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'مرحبًا بك في Souk',
  lead: 'أنشئ الحساب الأول، وهو مدير هذا النظام.',
  submit: 'إنشاء حساب المدير',
  needsLink: 'لا يوجد مدير بعد. افتح رابط الاستخدام الواحد الذي عرضه Souk في الطرفية عند بدء التشغيل.',
  done: 'تم الإعداد من قبل',
  doneText: 'يوجد مدير بالفعل، لذلك لم يعد هذا الرابط صالحًا.',
  signIn: 'تسجيل الدخول',
} satisfies Texts<typeof en>
