import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'نظرة عامة',
  lead: 'نشاط التطبيقات المصغّرة في هذا المشروع.',
  range: 'الفترة الزمنية',
  lastDays: 'اليوم | آخر يوم | آخر يومين | آخر {count} أيام | آخر {count} يومًا | آخر {count} يوم',
  trades: 'المعاملات',
  paid: 'المدفوع',
  successRate: 'نسبة النجاح',
  perDay: 'المعاملات يوميًا',
  noTrades: 'لا توجد معاملات في هذه الفترة.',
  failing: 'إشعارات دفع متعثّرة',
  noneFailing: 'لا توجد إشعارات دفع متعثّرة.',
  allCallbacks: 'كل إشعارات الدفع',
  refused: 'طلبات مرفوضة',
  noneRefused: 'لا توجد طلبات مرفوضة.',
  allRequests: 'سجل الطلبات',
  moneyPerDay: 'المدفوع يوميًا',
  before: 'سابقًا: {value}',
  releases: 'بعد آخر الإصدارات',
  noReleases: 'لا إصدارات في آخر 30 يومًا.',
  ratio: 'لكل 100 فتح: الأخطاء {errors}، وحالات فشل التشغيل {failures}',
  ratioBefore: 'سابقًا: {errors} و{failures}',
  worse: 'إخفاقات أكثر',
  fine: 'كما كان',
  unopened: 'لم يُفتح بعد',
  steps: {
    title: 'البدء',
    progress: 'اكتمل {done} من {all}',
    done: 'مكتملة',
    app: {
      title: 'أنشئ تطبيقًا مصغّرًا',
      text: 'احصل على appid وسرّ لتوقيع الطلبات.',
      go: 'فتح التطبيقات المصغّرة',
    },
    request: {
      title: 'أرسل طلبًا موقّعًا',
      text: 'استخدم SDK أو HTTP مباشرةً من خادمك. يشرح سجل الطلبات سبب أي توقيع خاطئ.',
      go: 'فتح مرجع الواجهة البرمجية',
    },
    trade: {
      title: 'نفّذ عملية دفع',
      text: 'أنشئ معاملة، ثم ادفعها بصفة مستخدم تجريبي وبالنتيجة التي تختارها.',
      go: 'فتح البيئة التجريبية',
    },
    callback: {
      title: 'استقبل النتيجة',
      text: 'يرسل Souk إشعار دفع إلى notifyUrl ويعيد المحاولة حتى يؤكد خادمك استلامه.',
      go: 'فتح إشعارات الدفع',
    },
  },
} satisfies Texts<typeof en>
