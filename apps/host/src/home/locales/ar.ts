import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'Souk',
  profile: 'حسابي: {name}',
  activities: 'يحدث الآن',
  apps: 'التطبيقات المصغّرة',
  none: 'لا توجد تطبيقات مصغّرة بعد.',
  test: 'تجريبي',
  notUploaded: 'لم يُرفع بعد',
  howToUpload: 'ارفع تطبيقًا مصغّرًا بالأمر souk upload. يمكن لمختبريه فتحه قبل نشره.',
} satisfies Texts<typeof en>
