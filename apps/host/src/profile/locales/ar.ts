import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'حسابي',
  uid: 'المستخدم {uid}',
  settings: 'الإعدادات',
  notifications: 'إشعارات النظام',
  notificationsText: 'تظهر ما دام Souk مفتوحًا، حتى في الخلفية.',
  notificationsDenied: 'محظورة في إعدادات المتصفح.',
  consents: 'البيانات المشتركة مع التطبيقات المصغّرة',
  noConsents: 'لا يعرفك أي تطبيق مصغّر بعد.',
  withdraw: 'إلغاء الوصول',
  withdrawFrom: 'إلغاء وصول {name}',
  withdrawText: 'لن يتمكن التطبيق المصغّر من قراءة هذه البيانات من الآن. ويحتفظ بما حصل عليه من قبل.',
  withdrawn: 'أُلغي الوصول',
  feedback: 'ملاحظاتك',
  answers: 'ملاحظاتك غير المقروءة: {count, number}',
  install: 'تثبيت التطبيق',
  developers: 'خيارات المطوّرين',
  signOut: 'تسجيل الخروج',
} satisfies Texts<typeof en>
