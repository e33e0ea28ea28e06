import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'Souk',
  profile: 'حسابي: {name}',
  activities: 'الآن',
  apps: 'التطبيقات المصغّرة',
  none: 'لا توجد تطبيقات مصغّرة بعد.',
  test: 'تجريبي',
  notUploaded: 'لم يُرفع بعد',
  howToUpload: 'يُرفع التطبيق المصغّر بالأمر souk upload، ويراه مختبروه قبل نشره.',
} satisfies Texts<typeof en>
