import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'سجل التدقيق',
  lead: 'كل تغيير في هذا المشروع: من، وماذا، ومتى، ومن أين. الأحدث أولًا.',
  filter: 'تصفية',
  time: 'الوقت',
  who: 'المنفِّذ',
  what: 'الإجراء',
  detail: 'التفاصيل',
  address: 'من العنوان',
  adminToken: 'رمز المدير',
  empty: 'لا توجد تغييرات في هذا النطاق',
  ever: 'منذ البداية',
  day: 'آخر يوم',
  week: 'آخر 7 أيام',
  month: 'آخر 30 يومًا',
} satisfies Texts<typeof en>
