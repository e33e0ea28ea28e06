import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  failed: 'تعذّر فتح التطبيق المصغّر',
  close: 'إغلاق',
  guide: 'دليل المطورين',
  channel: {
    title: 'تُفتح هذه الصفحة داخل تطبيق',
    text: 'تعرض تطبيقًا مصغّرًا في عارض ويب أو إطار. لم يُعثر على قناة إلى التطبيق: يجب أن يضيف عارض الويب الكائن soukHost أو أن يعمل في React Native، وأن تستخدم صفحة الويب @souk/host.',
  },
  address: {
    title: 'لا يوجد تطبيق مصغّر في هذا العنوان',
    text: 'عنوان التطبيق المصغّر المضمّن هو /host/embed/ متبوعًا بمعرّفه appid.',
  },
} satisfies Texts<typeof en>
