import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'المستخدمون',
  lead: 'مستخدمو المضيف، يُنشأون عند أول تسجيل دخول.',
  searchHint: 'جزء من الاسم أو البريد الإلكتروني أو المعرّف، أو رقم المستخدم',
  state: 'الحالة',
  states: { enabled: 'مفعَّل', disabled: 'معطَّل', erased: 'ممحوّ' },
  user: 'المستخدم',
  contact: 'الاتصال',
  origin: 'جهة الإصدار',
  mock: 'مستخدم تجريبي',
  since: 'منذ',
  actions: 'إجراءات',
  actionsFor: 'إجراءات {name}',
  empty: 'لا مستخدمين بعد',
  emptyText: 'أضف جهة إصدار موثوقة في إعدادات المنصة ليتمكن المستخدمون من تسجيل الدخول.',
  export: 'تصدير البيانات',
  disable: 'تعطيل',
  enable: 'تفعيل',
  erase: 'محو',
  enabledNow: 'فُعِّل {name}',
  disabledNow: 'عُطِّل {name}',
  erasedNow: 'مُحي المستخدم {uid}',
  disableTitle: 'تعطيل {name}؟',
  disableText: 'تنتهي جلسات المستخدم ولا يمكنه تسجيل الدخول حتى يُفعَّل من جديد.',
  eraseTitle: 'محو {name}؟',
  eraseText:
    'يُحذف الملف الشخصي والجلسات والموافقات والرسائل نهائيًا. تحتفظ المعاملات والدفتر باسم مستعار. لا يمكن التراجع عن هذا.',
  eraseConfirm: 'اكتب {uid} للتأكيد',
} satisfies Texts<typeof en>
