import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'مستخدمو المضيف',
  lead: 'من يستخدمون التطبيقات المصغّرة في التطبيق المضيف، ويُنشأ كل منهم عند أول تسجيل دخول. لا يمكنهم الدخول إلى لوحة التحكم هذه.',
  searchHint: 'جزء من الاسم أو البريد الإلكتروني أو المعرّف لدى جهة الإصدار، أو معرّف المستخدم',
  state: 'الحالة',
  states: { enabled: 'مفعّل', disabled: 'معطّل', erased: 'ممحوّ' },
  user: 'المستخدم',
  contact: 'بيانات الاتصال',
  origin: 'جهة الإصدار',
  mock: 'مستخدم تجريبي',
  since: 'منذ',
  actions: 'الإجراءات',
  actionsFor: 'إجراءات {name}',
  empty: 'لا يوجد مستخدمون بعد',
  emptyText: 'أضف جهة إصدار موثوقة في إعدادات المنصة ليتمكن المستخدمون من تسجيل الدخول.',
  export: 'تصدير البيانات',
  disable: 'تعطيل',
  enable: 'تفعيل',
  erase: 'محو',
  enabledNow: 'فُعّل {name}',
  disabledNow: 'عُطّل {name}',
  erasedNow: 'مُحي المستخدم {uid}',
  disableTitle: 'تعطيل {name}؟',
  disableText: 'تنتهي جلسات المستخدم ولا يمكنه تسجيل الدخول حتى يُفعَّل من جديد.',
  eraseTitle: 'محو {name}؟',
  eraseText:
    'يُحذف الملف الشخصي والجلسات والموافقات والرسائل نهائيًا. تحتفظ المعاملات ودفتر الأستاذ باسم مستعار. لا يمكن التراجع عن هذا الإجراء.',
  eraseConfirm: 'أدخل {uid} للتأكيد',
} satisfies Texts<typeof en>
