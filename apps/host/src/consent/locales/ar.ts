import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'المشاركة مع {name}؟',
  lead: 'يطلب {name} الوصول إلى:',
  known: 'لدى {name} بالفعل:',
  again: 'حصل {name} مرة أخرى على: {data}',
  withdraw: 'يمكنك إلغاء الوصول في أي وقت من صفحة «حسابي».',
  allow: 'سماح',
  deny: 'رفض',
} satisfies Texts<typeof en>
