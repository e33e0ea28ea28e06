import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'إعدادات المشروع',
  lead: 'اسم المشروع وكيفية مغادرته.',
  project: 'المشروع',
  name: 'اسم المشروع',
  leave: 'مغادرة المشروع',
  leaveTitle: 'هل تريد مغادرة المشروع؟',
  leaveText: 'ستحتاج إلى دعوة للعودة.',
  left: 'لقد غادرت المشروع',
  trust: {
    name: 'موثوق',
    text: 'تسري تغييرات تطبيقاته المصغّرة دون موافقة.',
    on: 'المشروع موثوق',
    off: 'تحتاج تغييرات المشروع إلى موافقة',
  },
} satisfies Texts<typeof en>
