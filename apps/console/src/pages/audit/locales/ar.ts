import type { Texts } from '../../../i18n/index.ts'
import type en from './en.ts'

export default {
  title: 'سجل التدقيق',
  lead: 'كل تغيير في هذا المشروع، الأحدث أولًا.',
  filter: 'تصفية',
  time: 'الوقت',
  who: 'المنفِّذ',
  detail: 'التفاصيل',
  address: 'عنوان IP',
  sentence: '{who}: {what}',
  system: 'النظام',
  anyone: 'شخص غير مسجّل',
  changes: 'التغييرات',
  unset: 'غير محدّد',
  became: 'أصبح',
  event: 'الحدث',
  actions: {
    account: {
      allowProjects: 'تغيير إذن إنشاء المشاريع',
      confirm: 'تأكيد الهوية',
      confirmEmail: 'تأكيد عنوان بريد إلكتروني',
      confirmFailed: 'فشل تأكيد الهوية',
      create: 'إنشاء حساب',
      createPasswordReset: 'إنشاء رابط لإعادة تعيين كلمة المرور',
      createRecoveryCodes: 'إنشاء رموز استرداد',
      disable: 'تعطيل حساب',
      enable: 'تفعيل حساب',
      endSession: 'إنهاء جلسة',
      endSessions: 'إنهاء كل الجلسات الأخرى',
      password: 'تغيير كلمة المرور',
      removePasskey: 'إزالة مفتاح مرور',
      removeTotp: 'إزالة تطبيق مصادقة',
      renamePasskey: 'إعادة تسمية مفتاح مرور',
      resetFactors: 'إعادة تعيين العوامل الثانية',
      resetPassword: 'إعادة تعيين كلمة مرور',
      sendPasswordReset: 'إرسال رابط لإعادة تعيين كلمة المرور',
      signIn: 'تسجيل الدخول',
      signInFailed: 'فشل تسجيل الدخول',
      signOn: 'تسجيل الدخول عبر مزوّد هوية',
      signOut: 'تسجيل الخروج',
      update: 'تحديث ملف شخصي',
    },
    activity: {
      sendTest: 'إرسال رسالة نشاط تجريبية',
    },
    adminToken: {
      disable: 'تعطيل رمز الإدارة',
      rotate: 'تدوير رمز الإدارة',
    },
    apiKey: {
      generate: 'إنشاء مفتاح API',
      refresh: 'استبدال مفتاح API',
    },
    app: {
      create: 'إنشاء تطبيق مصغّر',
      rotateSecret: 'تدوير سرّ تطبيق مصغّر',
      update: 'تغيير إعدادات تطبيق مصغّر',
    },
    audit: {
      export: 'تصدير سجل التدقيق',
    },
    backup: {
      create: 'إنشاء نسخة احتياطية',
      restore: 'استعادة نسخة احتياطية',
    },
    callback: {
      replay: 'إعادة إرسال إشعار',
      replayCancel: 'إلغاء إعادة إرسال الإشعارات',
      replayRange: 'إعادة إرسال عدة إشعارات',
      reportForwarded: 'الإبلاغ عن إشعار مُعاد توجيهه',
    },
    callbackReceiver: {
      disable: 'إيقاف مضيف إشعارات',
      enable: 'استئناف مضيف إشعارات',
    },
    change: {
      approve: 'الموافقة على تغيير',
      request: 'طلب تغيير',
    },
    dataset: {
      append: 'إلحاق سجلات بمجموعة بيانات',
      create: 'إنشاء مجموعة بيانات',
      delete: 'حذف مجموعة بيانات',
      deleteRecords: 'حذف سجلات من مجموعة بيانات',
      export: 'تصدير مجموعة بيانات',
    },
    event: {
      replay: 'إعادة إرسال حدث',
      replayDead: 'إعادة إرسال الأحداث غير المسلّمة',
    },
    eventEndpoint: {
      add: 'إضافة نقطة استقبال أحداث',
      disable: 'إيقاف نقطة استقبال أحداث',
      remove: 'إزالة نقطة استقبال أحداث',
      rotateSecret: 'تدوير سرّ نقطة استقبال أحداث',
      update: 'تغيير نقطة استقبال أحداث',
    },
    installation: {
      move: 'نقل التثبيت',
      undoMove: 'التراجع عن نقل التثبيت',
    },
    invitation: {
      create: 'إنشاء دعوة',
      revoke: 'إلغاء دعوة',
    },
    issuer: {
      add: 'إضافة جهة إصدار رموز',
      disableSignIn: 'تعطيل تسجيل الدخول عبر جهة إصدار',
      enableSignIn: 'تفعيل تسجيل الدخول عبر جهة إصدار',
      remove: 'إزالة جهة إصدار رموز',
    },
    keyRing: {
      recover: 'استعادة المفاتيح الرئيسية',
      retire: 'إحالة مفتاح رئيسي إلى التقاعد',
      rotate: 'تدوير المفاتيح الرئيسية',
    },
    member: {
      join: 'الانضمام إلى المشروع',
      remove: 'إزالة عضو',
      role: 'تغيير دور عضو',
      signOnRole: 'تغيير دور عضو عند تسجيل الدخول',
    },
    merchant: {
      create: 'إنشاء تاجر',
    },
    notification: {
      sendTest: 'إرسال إشعار تجريبي',
    },
    platformSettings: {
      update: 'تغيير إعدادات المنصّة',
    },
    project: {
      create: 'إنشاء المشروع',
      rename: 'إعادة تسمية المشروع',
      trust: 'تغيير حاجة المشروع إلى الموافقة',
    },
    provider: {
      create: 'إضافة حساب دفع',
      routing: 'تغيير توجيه المدفوعات',
      update: 'تغيير حساب دفع',
    },
    reconciliation: {
      begin: 'بدء تسوية',
    },
    release: {
      delete: 'حذف إصدار',
      preview: 'معاينة إصدار',
      schedule: 'جدولة نشر إصدار',
      setTesters: 'تغيير المختبرين',
      upload: 'رفع إصدار',
    },
    sandbox: {
      callbackFault: 'إدخال أعطال في الإشعارات',
      clock: 'تغيير ساعة البيئة التجريبية',
      createCode: 'إنشاء رمز دخول',
      createUser: 'إنشاء مستخدم تجريبي',
      pay: 'دفع معاملة في البيئة التجريبية',
      resolvePayment: 'تحديد نتيجة دفعة تجريبية',
    },
    serviceAccount: {
      add: 'إضافة حساب خدمة',
      remove: 'إزالة حساب خدمة',
    },
    signOn: {
      addProvider: 'إضافة مزوّد دخول موحّد',
      passwords: 'تغيير السماح بكلمات المرور',
      removeProvider: 'إزالة مزوّد دخول موحّد',
    },
    signingKey: {
      approve: 'الموافقة على مفتاح توقيع',
      register: 'تسجيل مفتاح توقيع',
      revoke: 'إبطال مفتاح توقيع',
    },
    storage: {
      move: 'نقل الملفات المخزّنة',
    },
    token: {
      create: 'إنشاء رمز وصول',
    },
    trade: {
      dispute: 'تسجيل نزاع',
      refund: 'استرداد مبلغ معاملة',
    },
    trades: {
      archive: 'أرشفة معاملات',
      restore: 'استعادة معاملات مؤرشفة',
    },
    user: {
      disable: 'تعطيل مستخدم',
      enable: 'تفعيل مستخدم',
      erase: 'محو بيانات مستخدم',
      export: 'تصدير بيانات مستخدم',
    },
  },
  adminToken: 'رمز المدير',
  empty: 'لا توجد تغييرات',
  ever: 'كل الأوقات',
  day: 'آخر يوم',
  week: 'آخر 7 أيام',
  month: 'آخر 30 يومًا',
} satisfies Texts<typeof en>
