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
  noConsents: 'لم تشارك بيانات مع أي تطبيق مصغّر.',
  withdraw: 'إلغاء',
  withdrawFrom: 'إلغاء وصول {name}',
  withdrawText: 'لن يحصل التطبيق المصغّر على بيانات جديدة حتى تسمح له مجددًا. ويحتفظ بما حصل عليه من قبل.',
  withdrawn: 'أُلغي الوصول',
  install: 'تثبيت التطبيق',
  developers: 'خيارات المطوّرين',
  signOut: 'تسجيل الخروج',
} satisfies Texts<typeof en>
