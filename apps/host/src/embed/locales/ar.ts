import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  failed: 'تعذّر فتح التطبيق المصغّر',
  close: 'إغلاق',
  guide: 'دليل المطوّرين',
  channel: {
    title: 'تُفتح هذه الصفحة داخل تطبيق',
    text: 'تعرض تطبيقًا مصغّرًا في عارض ويب أو إطار. لم يُعثر على قناة إلى التطبيق: يجب أن يضيف عارض الويب الكائن soukHost أو أن يعمل في React Native، وأن تستخدم صفحة الويب \u2066@souk/host\u2069.',
  },
  kinds: {
    webkit: 'iOS: ‏webkit.messageHandlers.soukHost',
    soukHost: 'Android أو Flutter: ‏soukHost',
    reactNative: 'React Native: ‏ReactNativeWebView',
    frame: 'إطار في صفحة ويب',
  },
  check: {
    title: 'فحص التطبيق',
    channel: 'القناة',
    version: 'إصدار البروتوكول',
    session: 'الجلسة',
    noSession: 'لم يقبل الخادم أي جلسة.',
    handlers: 'الوظائف',
    missing: 'تنفّذ الصفحة ما لا يذكره التطبيق في handles، ولا ينقص شيء غير ذلك.',
    required: 'مطلوبة',
    handled: 'ينفّذها التطبيق',
    byPage: 'تنفّذها الصفحة',
    try: 'تجربة',
    waiting: 'في انتظار الرد…',
    close: 'إرسال close',
  },
  address: {
    title: 'لا يوجد تطبيق مصغّر في هذا العنوان',
    text: 'عنوان التطبيق المصغّر المضمّن هو \u2066/host/embed/\u2069 متبوعًا بمعرّفه appid.',
  },
} satisfies Texts<typeof en>
