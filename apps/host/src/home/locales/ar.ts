import categories from '@souk/contract/categories/ar'
import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'Souk',
  profile: 'حسابي: {name}',
  activities: 'يحدث الآن',
  apps: 'التطبيقات المصغّرة',
  none: 'لا توجد تطبيقات مصغّرة بعد.',
  test: 'تجريبي',
  search: 'ابحث في التطبيقات المصغّرة والصفحات',
  nothingFound: 'لا توجد نتائج لـ «{query}».',
  found: 'عدد النتائج: {count, number}',
  pages: 'الصفحات',
  pinned: 'مثبّتة',
  recent: 'المستخدمة مؤخرًا',
  recommended: 'موصى بها',
  category: 'الفئة',
  all: 'الكل',
  categories,
  inDevelopment: 'قيد التطوير',
  more: 'عرض المزيد',
  howToUpload: 'ارفع تطبيقًا مصغّرًا بالأمر npx souk upload. يمكن لمختبريه فتحه قبل نشره.',
} satisfies Texts<typeof en>
