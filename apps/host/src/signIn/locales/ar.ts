import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'من أنت؟',
  language: 'اللغة',
  sandbox: 'هذه بيئة تجريبية. اختر أحد مستخدميها التجريبيين؛ لا حاجة إلى إثبات هوية ولا تُدفع أموال حقيقية.',
  nobody: 'لا يوجد مستخدم تجريبي بعد. أنشئ واحدًا من منصة التجربة في لوحة التحكم.',
  live: 'هذه بيئة فعلية. يسجّل مستخدموها الدخول عبر تطبيق الشركة التي تشغّلها.',
} satisfies Texts<typeof en>
