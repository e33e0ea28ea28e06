import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'الإشعارات',
  nothing: 'لم يصل شيء بعد.',
  unread: 'غير مقروء',
  readAll: 'تعليم الكل كمقروء',
  older: 'الأقدم',
  offer: 'اعرف الجديد حتى وأنت تتصفح شيئًا آخر.',
  switchOn: 'تفعيل',
} satisfies Texts<typeof en>
