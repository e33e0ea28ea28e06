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
  columnApps: 'التطبيقات المصغّرة',
  archivedTime: 'تاريخ الأرشفة',
  attention: 'يحتاج إلى انتباهك',
  salesToday: 'مبيعات اليوم',
  callbacks:
    '{count, plural, zero {لا إشعارات غير مؤكدة} one {إشعار دفع غير مؤكد} two {إشعارا دفع غير مؤكدين} few {{shown} إشعارات دفع غير مؤكدة} many {{shown} إشعار دفع غير مؤكد} other {{shown} إشعار دفع غير مؤكد}}',
  stopped: 'إشعارات الدفع معطّلة',
  reviews:
    '{count, plural, zero {لا إصدارات للمراجعة} one {إصدار للمراجعة} two {إصداران للمراجعة} few {# إصدارات للمراجعة} many {# إصدارًا للمراجعة} other {# إصدار للمراجعة}}',
  changes:
    '{count, plural, zero {لا تغييرات للموافقة} one {تغيير للموافقة} two {تغييران للموافقة} few {# تغييرات للموافقة} many {# تغييرًا للموافقة} other {# تغيير للموافقة}}',
  views: 'المشاريع حسب الحالة',
  archiveEmpty: 'لا توجد مشاريع مؤرشفة',
  archiveEmptyText: 'يؤرشف المالكون المشروع من إعداداته ويستعيدونه من هنا.',
  empty: 'لا توجد مشاريع بعد',
  emptyText: 'أنشئ مشروعًا، أو اطلب دعوة من مالك مشروع قائم.',
  askForProject: 'اطلب من أحد المديرين أن يسمح لك بإنشاء المشاريع، أو اطلب دعوة من مالك مشروع.',
  apps: '{count, plural, zero {لا تطبيقات مصغّرة} one {تطبيق مصغّر واحد} two {تطبيقان مصغّران} few {# تطبيقات مصغّرة} many {# تطبيقًا مصغّرًا} other {# تطبيق مصغّر}}',
  administratorsOnly: 'المديرون فقط',
  members: '{count, plural, zero {لا أعضاء} one {عضو واحد} two {عضوان} few {# أعضاء} many {# عضوًا} other {# عضو}}',
} satisfies Texts<typeof en>
