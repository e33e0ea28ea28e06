import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'تسجيل الدخول',
  submit: 'تسجيل الدخول',
  needsSetup: 'لا يوجد مدير بعد. افتح رابط الاستخدام الواحد الذي عرضه Souk في الطرفية عند بدء التشغيل.',
  noAccount: 'ليس لديك حساب؟ اطلب دعوة من أحد مالكي المشروع.',
  forgotten: 'هل نسيت كلمة المرور؟ اطلب من أحد مالكي المشروع رابطًا لإعادة تعيينها.',
  forgot: 'هل نسيت كلمة المرور؟',
} satisfies Texts<typeof en>
