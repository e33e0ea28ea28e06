import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'حسابي',
  uid: 'المستخدم {uid}',
  settings: 'الإعدادات',
  notifications: 'إشعارات النظام',
  notificationsText: 'ما دام Souk مفتوحًا، ولو خلف نوافذ أخرى.',
  notificationsDenied: 'لا يسمح بها المتصفح، ويمكن تغيير ذلك من إعداداته.',
  consents: 'ما يجوز للتطبيقات المصغّرة معرفته',
  noConsents: 'لم توافق على منح أي تطبيق مصغّر شيئًا.',
  withdraw: 'سحب الموافقة',
  withdrawFrom: 'سحب الموافقة من {name}',
  withdrawText: 'لن يحصل التطبيق المصغّر على جديد وسيطلب موافقتك مرة أخرى. أما ما حصل عليه فيبقى لديه.',
  withdrawn: 'سُحبت الموافقة',
  install: 'التثبيت كتطبيق',
  developers: 'للمطوّرين',
  signOut: 'تسجيل الخروج',
} satisfies Texts<typeof en>
