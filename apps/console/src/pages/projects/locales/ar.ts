import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'المشاريع',
  lead: 'يضم المشروع تطبيقات مصغّرة والأشخاص الذين يتولون إدارتها.',
  create: 'إنشاء مشروع',
  createTitle: 'مشروع جديد',
  name: 'اسم المشروع',
  active: 'النشطة',
  archived: 'المؤرشفة',
  deleted: 'المحذوفة',
  deletedTime: 'تاريخ الحذف',
  deletedEmpty: 'لا توجد مشاريع محذوفة',
  deletedEmptyText:
    'يحذف المالكون المشاريع المؤرشفة من إعداداتها. تبقى المعاملات وإشعارات الدفع والطلبات وسجل التدقيق.',
  remains: 'السجلات المتبقية من {name}',
  columnName: 'الاسم',
  views: 'المشاريع حسب الحالة',
  archiveEmpty: 'لا توجد مشاريع مؤرشفة',
  archiveEmptyText: 'يؤرشف المالكون المشروع من إعداداته ويستعيدونه من هنا.',
  empty: 'لا توجد مشاريع بعد',
  emptyText: 'أنشئ مشروعًا، أو اطلب دعوة من مالك مشروع قائم.',
  askForProject: 'اطلب من أحد المديرين أن يسمح لك بإنشاء المشاريع، أو اطلب دعوة من مالك مشروع.',
  showMore: 'عرض المزيد ({count})',
  apps: 'لا تطبيقات مصغّرة | تطبيق مصغّر واحد | تطبيقان مصغّران | {count} تطبيقات مصغّرة | {count} تطبيقًا مصغّرًا | {count} تطبيق مصغّر',
  administratorsOnly: 'المديرون فقط',
  members: 'لا أعضاء | عضو واحد | عضوان | {count} أعضاء | {count} عضوًا | {count} عضو',
} satisfies Texts<typeof en>
