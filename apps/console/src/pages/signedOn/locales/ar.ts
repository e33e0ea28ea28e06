import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'تسجيل الدخول',
  waiting: 'يجري إكمال تسجيل دخولك.',
  again: 'العودة إلى تسجيل الدخول',
} satisfies Texts<typeof en>
