import type { Texts } from './texts.ts'

const where = 'الحساب: {username}. الوقت: {time}. عنوان IP: {address}.'

export const ar: Texts = {
  mails: {
    test: { subject: 'رسالة تجريبية من Souk', lines: ['يستطيع Souk إرسال البريد.'] },
    invitation: {
      subject: 'دعوة إلى {project}',
      lines: [
        'يدعوك {invitedBy} إلى المشروع {project} على Souk. دورك: {role}.',
        'يعمل الرابط مرة واحدة حتى {validUntil}. إذا لم تكن تتوقع دعوة فتجاهل هذه الرسالة.',
      ],
      action: 'فتح الدعوة',
    },
    passwordReset: {
      subject: 'إعادة تعيين كلمة المرور',
      lines: [
        'بهذا الرابط يمكنك تعيين كلمة مرور جديدة للحساب {username}.',
        'يعمل الرابط مرة واحدة حتى {validUntil}. إذا لم تطلبه فتجاهل هذه الرسالة، وتبقى كلمة مرورك كما هي.',
      ],
      action: 'تعيين كلمة مرور جديدة',
    },
    emailConfirmation: {
      subject: 'تأكيد بريدك الإلكتروني',
      lines: [
        'يريد الحساب {username} على Souk استلام البريد على هذا العنوان.',
        'يعمل الرابط مرة واحدة حتى {validUntil}. إذا لم يكن هذا حسابك فتجاهل هذه الرسالة.',
      ],
      action: 'تأكيد العنوان',
    },
    emailChanged: {
      subject: 'تم تغيير عنوان بريدك الإلكتروني',
      lines: ['لم يعد بريد حسابك يُرسل إلى هذا العنوان.', where],
    },
    newDevice: {
      subject: 'تسجيل دخول جديد إلى حسابك',
      lines: ['سجّل أحدهم الدخول إلى حسابك من جهاز جديد: {browser}، {system}.', where],
      action: 'عرض الجلسات',
    },
    passwordChanged: {
      subject: 'تم تغيير كلمة مرورك',
      lines: ['تم تغيير كلمة مرور حسابك، وانتهت جلساته الأخرى.', where],
      action: 'عرض الجلسات',
    },
    credentialAdded: {
      subject: 'أُضيف إلى حسابك: {credential}',
      lines: ['أُضيف هذا إلى حسابك: {credential}.', where],
      action: 'فتح الملف الشخصي',
    },
    credentialRemoved: {
      subject: 'أُزيل من حسابك: {credential}',
      lines: ['أُزيل هذا من حسابك: {credential}.', where],
      action: 'فتح الملف الشخصي',
    },
    recoveryCodesCreated: {
      subject: 'رموز استرداد جديدة',
      lines: ['أُنشئت رموز استرداد جديدة لحسابك، ولم تعد الرموز السابقة صالحة.', where],
      action: 'فتح الملف الشخصي',
    },
    recoveryCodeUsed: {
      subject: 'تم استخدام رمز استرداد',
      lines: ['استُخدم أحد رموز استرداد حسابك بدلًا من العامل الثاني، ولم يعد الرمز صالحًا.', where],
      action: 'فتح الملف الشخصي',
    },
    changeRequested: {
      subject: 'بانتظار الموافقة: {app}',
      lines: ['يطلب {requestedBy} تغيير التطبيق المصغّر {app} في المشروع {project}: {change}.'],
      action: 'فتح طلبات التغيير',
    },
    changeApproved: {
      subject: 'موافَق عليه: {app}',
      lines: ['وافق {decidedBy} على تغييرك للتطبيق المصغّر {app} في المشروع {project}: {change}.'],
    },
    changeRejected: {
      subject: 'مرفوض: {app}',
      lines: ['رفض {decidedBy} تغييرك للتطبيق المصغّر {app} في المشروع {project}: {change}.', 'السبب: {reason}'],
    },
    releaseSubmitted: {
      subject: 'بانتظار المراجعة: {app} {version}',
      lines: [
        'قدّم {submittedBy} الإصدار {version} من التطبيق المصغّر {app} في المشروع {project} للمراجعة.',
        'لعرض المراجعات المفتوحة: souk review list',
      ],
    },
    releaseApproved: {
      subject: 'موافَق عليه: {app} {version}',
      lines: [
        'وافق {decidedBy} على الإصدار {version} من التطبيق المصغّر {app} في المشروع {project}. يمكن لأحد المالكين نشره.',
      ],
    },
    releaseRejected: {
      subject: 'مرفوض: {app} {version}',
      lines: ['رفض {decidedBy} الإصدار {version} من التطبيق المصغّر {app} في المشروع {project}.', 'السبب: {reason}'],
    },
    canaryHalted: {
      subject: 'أُوقف الطرح: {app} {version}',
      lines: [
        'أُوقف تلقائيًا طرح الإصدار {version} من التطبيق المصغّر {app} لأنه تجاوز الإصدار المنشور في: {failures}.',
        'عاد جميع المستخدمين إلى الإصدار المنشور. استأنف الطرح أو أنهِه في لوحة التحكم.',
      ],
      action: 'فتح الإصدارات',
    },
    alertRaised: {
      subject: 'تنبيه: {alertMetric} في {app}',
      lines: ['{alertMetric} في التطبيق المصغّر {app}: {value}. حدّ قاعدة التنبيه: {threshold}.'],
      action: 'فتح التحليلات',
    },
    alertResolved: {
      subject: 'انتهى التنبيه: {alertMetric} في {app}',
      lines: ['عاد {alertMetric} في التطبيق المصغّر {app} إلى الحدّ المقبول: {value}. حدّ قاعدة التنبيه: {threshold}.'],
      action: 'فتح التحليلات',
    },
    miniAppReported: {
      subject: 'بلاغ عن: {app}',
      lines: [
        'أبلغ مستخدم عن التطبيق المصغّر {app} في المشروع {project}. السبب: {reportReason}.',
        'لا تُرسل رسائل عن البلاغات الأخرى عن هذا التطبيق المصغّر خلال ساعة.',
      ],
      action: 'فتح البلاغات',
    },
    callbacksDisabled: {
      subject: 'عُطّلت إشعارات الدفع إلى {host}',
      lines: [
        'لم يؤكد {host} أي إشعار دفع للتطبيق المصغّر {app} منذ {failingSince}، ولن يرسل Souk إليه إشعارات دفع أخرى.',
        'تُحفظ نتائج الدفع في هذه الأثناء. عندما يعمل المضيف من جديد، فعّله في لوحة التحكم وأعد إرسالها.',
      ],
      action: 'فتح إشعارات الدفع',
    },
    endpointDisabled: {
      subject: 'عُطّلت نقطة نهاية للأحداث',
      lines: [
        'لم يؤكد {url} أي حدث منذ {failingSince}، ولن يرسل Souk إليه أحداثًا أخرى.',
        'تُحفظ الأحداث 30 يومًا. عندما تعمل نقطة النهاية من جديد، فعّلها في لوحة التحكم وأعد إرسالها.',
      ],
      action: 'فتح إعدادات المنصة',
    },
    blocked: {
      subject: 'تم الحظر: {subject}',
      lines: [
        'حظر {blockedBy} {subject} في {time}: {blockedState}. لا يرفع الحظر إلا المديرون.',
        'السبب: {reason}',
        'يمكنك في لوحة التحكم إرسال توضيح إلى المديرين مرة واحدة.',
      ],
    },
    blockLifted: {
      subject: 'رُفع الحظر: {subject}',
      lines: ['رفع {answeredBy} الحظر عن {subject}: {blockedState}.', 'الرد: {answer}'],
    },
    blockKept: {
      subject: 'ما زال محظورًا: {subject}',
      lines: ['رفض {answeredBy} الاعتراض على حظر {subject}: {blockedState}.', 'الرد: {answer}'],
    },
    blockAppealed: {
      subject: 'اعتراض: {subject}',
      lines: ['يعترض {appealedBy} على حظر {subject}: {blockedState}.', 'التوضيح: {appeal}'],
      action: 'فتح قائمة الانتظار',
    },
  },
  footer: 'أُرسلت هذه الرسالة من Souk على {url}.',
  notYou: 'إذا لم تكن أنت، فغيّر كلمة مرورك وأنهِ جميع الجلسات الأخرى في ملفك الشخصي.',
  unknown: 'غير معروف',
  role: { owner: 'مالك', editor: 'محرّر', viewer: 'مشاهد' },
  credential: { passkey: 'مفتاح مرور', totp: 'تطبيق مصادقة', apiKey: 'مفتاح API', signingKey: 'مفتاح توقيع' },
  change: {
    capabilities: 'القدرات',
    publication: 'النشر الأول',
    name: 'الاسم',
    iconUrl: 'الأيقونة',
    merchantName: 'اسم التاجر',
    merchantLogoUrl: 'شعار التاجر',
    domains: 'المضيفات',
    testers: 'المختبِرون',
  },
  reportReason: {
    fraud: 'احتيال',
    harmful: 'محتوى ضار أو غير قانوني',
    privacy: 'إساءة استخدام البيانات الشخصية',
    impersonation: 'انتحال صفة شركة أو شخص',
    other: 'سبب آخر',
  },
  alertMetric: {
    errors: 'نسبة المستخدمين الذين واجهوا أخطاء JavaScript',
    failedLaunches: 'نسبة المستخدمين الذين فشل التشغيل لديهم',
    failedRequests: 'نسبة المستخدمين الذين فشلت طلباتهم',
    launchTime: 'زمن التشغيل (95%)',
    paymentSuccess: 'نسبة الدافعين الذين نجح دفعهم',
    failedCallbacks: 'معدل فشل إشعارات الدفع',
    openings: 'عدد المستخدمين',
    customEvent: 'عدد المستخدمين الذين أبلغوا عن حدث مخصّص',
  },
  blockedState: {
    appDisabled: 'تعطيل التطبيق المصغّر',
    appArchived: 'أرشفة التطبيق المصغّر',
    capabilityRemoved: 'إزالة صلاحية',
    hostsRemoved: 'إزالة مضيفين',
    projectArchived: 'أرشفة المشروع',
    analyticsOff: 'إيقاف الإحصاءات',
    releaseWithdrawn: 'سحب الإصدار',
    releaseRejected: 'رفض الإصدار',
    canaryPaused: 'إيقاف الطرح التدريجي مؤقتًا',
    accountDisabled: 'تعطيل الحساب',
    providerAccountDisabled: 'تعطيل حساب الدفع',
    userDisabled: 'تعطيل المستخدم',
  },
  failures: { failedLaunches: 'حالات فشل التشغيل', errors: 'أخطاء JavaScript' },
}
