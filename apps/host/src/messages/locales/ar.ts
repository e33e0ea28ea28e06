import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  entry: 'الرسائل',
  text: 'الإشعارات، والرسائل في صفحتك الرئيسية.',
  levels: {
    on: { title: 'مفعّلة', text: 'مع لافتة' },
    silent: { title: 'صامتة', text: 'دون لافتة' },
    off: { title: 'متوقفة', text: 'لا تصلك رسائل' },
  },
  saved: 'تم الحفظ',
  ask: {
    title: 'هل تسمح لـ {name} بإرسال رسائل إليك؟',
    text: 'يريد {name} إرسال إشعارات إليك ورسائل إلى صفحتك الرئيسية. يمكنك تغيير ذلك في أي وقت من قائمته ومن «حسابي».',
    on: 'السماح',
    silent: 'السماح دون لافتات',
    off: 'عدم السماح',
  },
  section: 'رسائل التطبيقات المصغّرة',
  none: 'لا يمكن لأي تطبيق مصغّر إرسال رسائل إليك بعد.',
} satisfies Texts<typeof en>
