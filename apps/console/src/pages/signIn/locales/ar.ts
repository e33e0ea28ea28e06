import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'تسجيل الدخول',
  submit: 'دخول',
  needsSetup: 'لا يوجد مدير بعد: افتح رابط الاستخدام الواحد الذي عرضه Souk في الطرفية.',
  noAccount: 'ليس لديك حساب؟ اطلب دعوة من أحد مالكي المشروع.',
  forgotten: 'نسيت كلمة المرور؟ يستطيع من يدير أعضاء مشروعك أن ينشئ لك رابطًا لكلمة مرور جديدة.',
} satisfies Texts<typeof en>
