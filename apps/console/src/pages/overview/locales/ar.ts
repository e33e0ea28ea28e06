import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'نظرة عامة',
  lead: 'كيف تسير التطبيقات المصغّرة في هذا المشروع.',
  range: 'المدة',
  lastDays: 'اليوم | آخر يوم | آخر يومين | آخر {count} أيام | آخر {count} يومًا | آخر {count} يوم',
  trades: 'المعاملات',
  paid: 'المدفوع',
  successRate: 'نسبة النجاح',
  perDay: 'المعاملات يوميًا',
  noTrades: 'لا توجد معاملات في هذه المدة.',
  failing: 'إشعارات دفع لم تصل',
  noneFailing: 'وصلت جميع إشعارات الدفع.',
  allCallbacks: 'كل الإشعارات',
  dead: 'توقفت المحاولات',
  attempts: 'لا محاولات | محاولة واحدة | محاولتان | {count} محاولات | {count} محاولة | {count} محاولة',
  refused: 'طلبات مرفوضة',
  noneRefused: 'لم يُرفض أي طلب.',
  allRequests: 'سجل الطلبات',
  steps: {
    title: 'الخطوات الأولى',
    progress: 'تم {done} من {all}',
    done: 'تم',
    app: {
      title: 'أنشئ تطبيقًا مصغّرًا',
      text: 'يحصل على appid وسرّ للتوقيع.',
      go: 'إلى التطبيقات',
    },
    request: {
      title: 'أرسل طلبًا موقّعًا',
      text: 'من خوادمك، عبر SDK أو HTTP مباشرة. يشرح سجل الطلبات سبب أي توقيع خاطئ.',
      go: 'مرجع الواجهة',
    },
    trade: {
      title: 'نفّذ عملية دفع',
      text: 'أنشئ معاملة، ثم ادفعها بصفة مستخدم تجريبي وبالنتيجة التي تختارها.',
      go: 'جرّب',
    },
    callback: {
      title: 'استقبل النتيجة',
      text: 'يصل إشعار الدفع إلى notifyUrl ويتكرر حتى تؤكد خوادمك استلامه.',
      go: 'إشعارات الدفع',
    },
  },
} satisfies Texts<typeof en>
