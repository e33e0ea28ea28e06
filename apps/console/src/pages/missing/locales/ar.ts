import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'الصفحة غير موجودة',
  text: 'لا توجد صفحة على هذا العنوان.',
  home: 'الانتقال إلى المشاريع',
} satisfies Texts<typeof en>
