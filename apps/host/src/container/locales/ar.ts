import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  menu: 'قائمة التطبيق المصغر',
  leave: 'مغادرة التطبيق المصغر',
  stages: { development: 'قيد التطوير', review: 'قيد المراجعة', published: 'منشور' },
  fromServer: 'من خادم تطوير',
  again: 'البدء من جديد',
  shared: 'ما شاركته',
  versions: 'إصدارات للمختبرين',
  open: 'فتح',
  isOpen: 'مفتوح الآن',
  retry: 'إعادة المحاولة',
  failures: {
    missing: 'لا يوجد تطبيق مصغر كهذا، أو أنه غير متاح لك.',
    unreleased: 'لم يُنشر هذا التطبيق المصغر بعد.',
    unknownRelease: 'هذا الإصدار غير متاح لك.',
    manifest: 'تعذّر تحميل التطبيق المصغر.',
    server:
      'لا تُفتح خوادم التطوير إلا في بيئة الاختبار، وعلى هذا الجهاز فقط: \u2066http://localhost\u2069 أو \u2066http://127.0.0.1\u2069.',
  },
  clipboard: {
    title: 'هل تسمح لتطبيق {name} بقراءة ما نسخته؟',
    text: 'سيحصل على آخر نص نسخته، أينما كان ذلك.',
    allow: 'سماح',
    refuse: 'رفض',
  },
  web: {
    refused: 'لا يمكن عرض هذا العنوان هنا.',
    outside: 'الفتح في المتصفح',
  },
} satisfies Texts<typeof en>
