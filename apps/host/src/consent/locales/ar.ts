import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'المشاركة مع {name}؟',
  lead: 'يطلب {name} الوصول إلى:',
  known: 'يعرف {name} اسمك وصورتك بالفعل.',
  fields: {
    email: 'البريد الإلكتروني',
    country: 'الدولة',
    phone: 'الهاتف',
  },
  unset: 'غير متوفر',
  withdraw: 'يمكنك إلغاء الوصول في أي وقت من صفحة «حسابي».',
  allow: 'سماح',
  deny: 'رفض',
} satisfies Texts<typeof en>
