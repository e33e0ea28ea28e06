import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  menu: 'قائمة التطبيق المصغر',
  leave: 'مغادرة التطبيق المصغر',
  stages: { development: 'قيد التطوير', review: 'قيد المراجعة', published: 'منشور' },
  fromServer: 'خادم تطوير',
  restart: 'إعادة التشغيل',
  shared: 'البيانات المشتركة',
  versions: 'إصدارات الاختبار',
  open: 'فتح',
  isOpen: 'الحالي',
  retry: 'إعادة المحاولة',
  failures: {
    missing: 'هذا التطبيق المصغر غير موجود أو غير متاح لك.',
    unreleased: 'لم يُنشر هذا التطبيق المصغر بعد.',
    unknownRelease: 'هذا الإصدار غير متاح لك.',
    manifest: 'تعذّر تحميل التطبيق المصغر.',
    server:
      'لا يمكن فتح خوادم التطوير إلا في البيئة التجريبية وعلى هذا الجهاز: \u2066http://localhost\u2069 أو \u2066http://127.0.0.1\u2069.',
  },
  clipboard: {
    title: 'هل تسمح لتطبيق {name} بقراءة الحافظة؟',
    text: 'سيرى آخر نص نسخته في أي تطبيق.',
    allow: 'سماح',
    deny: 'رفض',
  },
  notice: {
    title: 'ما يعرفه {name}',
    text: 'اسمك وصورتك ومعرّف أُنشئ خصيصًا له. وعليه أن يطلب منك بريدك الإلكتروني ورقم هاتفك.',
    dismiss: 'حسنًا',
  },
  web: {
    refused: 'لا يمكن عرض هذه الصفحة هنا.',
    unapproved: 'صفحات {host} غير معتمدة لهذا التطبيق المصغر.',
    outside: 'الفتح في المتصفح',
  },
} satisfies Texts<typeof en>
