import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  nav: { label: 'التنقل', home: 'الرئيسية', inbox: 'الإشعارات', profile: 'حسابي', unread: '{count} غير مقروء' },
  language: 'اللغة',
  scheme: 'المظهر',
  schemes: { system: 'حسب النظام', light: 'فاتح', dark: 'داكن' },
  device: {
    title: 'الجهاز',
    screen: 'الشاشة',
    screens: {
      fit: 'ملاءمة النافذة',
      small: 'صغيرة 320 × 568',
      phone: 'هاتف 375 × 667',
      tall: 'طويلة 390 × 844',
      tablet: 'لوحي 768 × 1024',
    },
    landscape: 'أفقي',
    statusBar: 'شريط الحالة',
    inspector: 'أداة الفحص',
    inspectorText: 'افتح تطبيقًا مصغّرًا لفحصه.',
    platform: 'المنصة',
    os: 'النظام',
    clock: 'ساعة البيئة التجريبية',
    forward: 'تقديم الساعة',
    reset: 'إعادة ضبط الساعة',
    clockText:
      'تتبع الطلبات والمدفوعات والرسائل وعمليات الدخول هذه الساعة. وتؤثر التغييرات في كل من يستخدم هذه البيئة.',
    clockFailed: 'تعذّر تغيير الساعة',
    administrators: 'لا يغيّر الساعة إلا مسؤولو لوحة التحكم. سجّل الدخول إليها في هذا المتصفح ثم أعد المحاولة.',
    console: 'فتح لوحة التحكم',
  },
} satisfies Texts<typeof en>
