import type { Texts } from '../../i18n/index.ts'
import type en from './en.ts'

export default {
  nav: {
    label: 'التنقل',
    home: 'الرئيسية',
    inbox: 'الإشعارات',
    chat: 'المحادثات',
    profile: 'حسابي',
    unread: 'غير المقروء: {shown}',
  },
  language: 'اللغة',
  scheme: 'المظهر',
  schemes: { system: 'حسب النظام', light: 'فاتح', dark: 'داكن' },
  device: {
    title: 'الجهاز',
    screen: 'الشاشة',
    screens: {
      fit: 'ملاءمة النافذة',
      small: 'صغيرة \u2066320 × 568\u2069',
      phone: 'هاتف \u2066375 × 667\u2069',
      tall: 'طويلة \u2066390 × 844\u2069',
      tablet: 'لوحي \u2066768 × 1024\u2069',
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
      'تتبع الطلبات والمدفوعات والرسائل وعمليات الدخول هذه الساعة. وتؤثر التغييرات في كل من يستخدم هذه البيئة التجريبية.',
    clockFailed: 'تعذّر تغيير الساعة',
    administrators: 'لا يغيّر الساعة إلا مديرو لوحة التحكم. سجّل الدخول إليها في هذا المتصفح ثم أعد المحاولة.',
    console: 'فتح لوحة التحكم',
  },
} satisfies Texts<typeof en>
