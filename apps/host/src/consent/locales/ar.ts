import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'المشاركة مع {name}؟',
  lead: 'يطلب {name} بياناتك التالية:',
  fields: {
    nickName: 'الاسم',
    avatar: 'الصورة',
    email: 'البريد الإلكتروني',
    country: 'الدولة',
    phone: 'الهاتف',
  },
  unset: 'غير مُدخل',
  withdraw: 'يمكنك سحب ذلك في أي وقت من صفحة «أنا».',
  allow: 'سماح',
  refuse: 'رفض',
} satisfies Texts<typeof en>
