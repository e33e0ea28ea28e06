import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'نظرة عامة',
  lead: 'نشاط التطبيقات المصغّرة في هذا المشروع.',
  range: 'المدة',
  lastDays: 'اليوم | آخر يوم | آخر يومين | آخر {count} أيام | آخر {count} يومًا | آخر {count} يوم',
  trades: 'المعاملات',
  paid: 'المدفوع',
  successRate: 'نسبة النجاح',
  perDay: 'المعاملات يوميًا',
  noTrades: 'لا توجد معاملات في هذه المدة.',
  failing: 'إشعارات دفع متعثرة',
  noneFailing: 'لا توجد إشعارات متعثرة.',
  allCallbacks: 'كل الإشعارات',
  refused: 'طلبات مرفوضة',
  noneRefused: 'لم يُرفض أي طلب.',
  allRequests: 'سجل الطلبات',
  moneyPerDay: 'المدفوع يوميًا',
  before: 'سابقًا: {value}',
  releases: 'بعد آخر الإصدارات',
  noReleases: 'لا إصدارات في آخر 30 يومًا.',
  ratio: '{errors} خطأ و{failures} إطلاق فاشل لكل 100 فتح',
  ratioBefore: 'سابقًا: {errors} و{failures}',
  worse: 'إخفاقات أكثر',
  fine: 'كما كان',
  unopened: 'لم يُفتح بعد',
  steps: {
    title: 'البدء',
    progress: 'تم {done} من {all}',
    done: 'تم',
    app: {
      title: 'أنشئ تطبيقًا مصغّرًا',
      text: 'احصل على appid وسرّ لتوقيع الطلبات.',
      go: 'فتح التطبيقات المصغّرة',
    },
    request: {
      title: 'أرسل طلبًا موقّعًا',
      text: 'من خوادمك، عبر SDK أو HTTP مباشرة. يشرح سجل الطلبات سبب أي توقيع خاطئ.',
      go: 'فتح مرجع الواجهة',
    },
    trade: {
      title: 'نفّذ عملية دفع',
      text: 'أنشئ معاملة، ثم ادفعها بصفة مستخدم تجريبي وبالنتيجة التي تختارها.',
      go: 'فتح البيئة التجريبية',
    },
    callback: {
      title: 'استقبل النتيجة',
      text: 'يرسل Souk إشعار الدفع إلى notifyUrl ويعيد المحاولة حتى تؤكد خوادمك استلامه.',
      go: 'فتح إشعارات الدفع',
    },
  },
} satisfies Texts<typeof en>
