import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'ملاحظاتك',
  feedbackTitle: 'ملاحظات على {name}',
  reportTitle: 'الإبلاغ عن {name}',
  kind: 'ما نوع رسالتك؟',
  kinds: { problem: 'مشكلة', idea: 'فكرة', praise: 'إشادة' },
  reason: 'ما سبب البلاغ؟',
  reasons: {
    fraud: 'احتيال أو خداع',
    harmful: 'محتوى ضار أو غير قانوني',
    privacy: 'إساءة استخدام البيانات الشخصية',
    impersonation: 'انتحال صفة شركة أو شخص',
    other: 'سبب آخر',
  },
  text: 'رسالتك',
  details: 'التفاصيل (اختياري)',
  feedbackNote: 'تصل إلى المطوّرين مع الإصدار والصفحة المفتوحة وجهازك ولغته.',
  reportNote: 'يصل إلى مشغّل هذا التطبيق وليس إلى المطوّرين، مع الإصدار والصفحة المفتوحة وجهازك ولغته.',
  send: 'إرسال',
  sent: 'أُرسلت. تجد الردود في «حسابي».',
  limit: 'أرسلت رسائل كثيرة اليوم. حاول مجددًا غدًا.',
  empty: 'لم ترسل أي ملاحظات بعد. تجدها في قائمة كل تطبيق مصغّر.',
  reported: 'بلاغ: {reason}',
  developersAnswered: 'رد المطوّرين',
  operatorAnswered: 'رد المشغّل',
  waiting: 'لم يُرد عليها بعد',
  closed: 'مغلقة',
  older: 'الأقدم',
} satisfies Texts<typeof en>
