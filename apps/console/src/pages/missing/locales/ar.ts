import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'لا يوجد شيء هنا',
  text: 'لا يؤدي هذا العنوان إلى أي صفحة.',
  home: 'إلى المشاريع',
} satisfies Texts<typeof en>
