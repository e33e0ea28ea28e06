import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'الإشعارات',
  empty: 'لا توجد إشعارات بعد.',
  unread: 'غير مقروء',
  readAll: 'تعليم الكل كمقروء',
  older: 'عرض الأقدم',
  offer: 'تلقَّ الإشعارات حتى عندما يكون Souk في الخلفية.',
  switchOn: 'تفعيل',
} satisfies Texts<typeof en>
