interface Translation {
  name: string
  /** How texts contain it, if not by its name: Arabic words change within, and Chinese ones are parts of others. */
  used?: RegExp
  /** Words that would be a second name for the same thing. */
  others?: RegExp
}

interface Term {
  /** The term as English pages have it. */
  english: RegExp
  zh: Translation
  ar: Translation
}

/** The glossary of translators: each term has one translation, in the pages and in the applications. */

export const terms: readonly Term[] = [
  {
    english: /\bmini apps?\b/,
    zh: { name: '小程序' },
    ar: { name: 'تطبيق مصغّر', used: /مصغّر/, others: /مصغر(?!ّ)|التطبيقات الصغيرة/ },
  },
  {
    english: /\bhost applications?\b/i,
    zh: { name: '宿主应用', others: /宿主程序|宿主的用户|登录宿主(?!应用)/ },
    ar: { name: 'تطبيق مضيف', used: /التطبيق المضيف|تطبيق مضيف|لتطبيق المضيف/, others: /(?<!ال|لل)تطبيق المضيف/ },
  },
  {
    english: /\bbackends?\b/,
    zh: { name: '后端', others: /服务端/ },
    ar: { name: 'خادم', used: /خادم|خوادم/, others: /الخادم الخلفي/ },
  },
  {
    english: /\bcallbacks?\b/,
    zh: { name: '回调' },
    ar: { name: 'إشعار الدفع', used: /إشعار/, others: /رد(?:ود)? (?:ال)?نداء/ },
  },
  {
    english: /(?<![Cc]anary )\breleases?\b/,
    zh: { name: '版本' },
    ar: { name: 'إصدار', used: /إصدار/ },
  },
  {
    english: /\b(?:the|a|each|every) builds?\b/,
    zh: { name: '构建', others: /编译产物/ },
    ar: { name: 'بناء', others: /أبنية/ },
  },
  {
    english: /\btabs?\b/,
    zh: { name: '标签页', used: /标签[页栏]/ },
    ar: { name: 'تبويب', others: /علام(?:ة|ات) (?:ال)?تبويب/ },
  },
  {
    english: /\btags?\b/,
    zh: { name: '标签' },
    ar: { name: 'وسم', used: /وسم|وسوم/ },
  },
  {
    english: /\bscripts?\b(?! or base)/,
    zh: { name: '脚本' },
    ar: { name: 'نص برمجي', used: /(?:نص|نصوص)(?: uni-app)? (?:ال)?برمجي|برمجية|هذه النصوص/, others: /سكري?بت/ },
  },
  {
    english: /\bhooks?\b/,
    zh: { name: '钩子' },
    ar: { name: 'خطاف' },
  },
  {
    english: /\bcapabilit(?:y|ies)\b/,
    zh: { name: '能力' },
    ar: { name: 'قدرة', used: /قدر(?:ة|ات)/, others: /إمكانات/ },
  },
  {
    english: /\btrades?\b/,
    zh: { name: '交易', others: /交易单/ },
    ar: { name: 'معاملة', used: /معامل(?:ة|ات|ت)/, others: /صفقة|الصفقات/ },
  },
  {
    english: /\brefunds?\b/,
    zh: { name: '退款' },
    ar: { name: 'استرداد', used: /ستُ?رد/, others: /المردود|قيد الردّ|استرجاع/ },
  },
  {
    english: /\bmerchants?\b/,
    zh: { name: '商户', others: /商家/ },
    ar: { name: 'تاجر' },
  },
  {
    english: /\bcanar(?:y|ies)\b/,
    zh: { name: '灰度发布', used: /灰度/, others: /金丝雀/ },
    ar: { name: 'طرح تدريجي', used: /طرح|تدريجي/, others: /كناري/ },
  },
  {
    english: /\broll(?:s|ed|ing)? back\b/,
    zh: { name: '回滚', others: /(?<!返)回退/ },
    ar: { name: 'تراجع' },
  },
  {
    english: /\bsandbox(?:es)?\b/,
    zh: { name: '沙箱', others: /沙盒/ },
    ar: { name: 'البيئة التجريبية', used: /بيئة (?:ال)?تجريبية/, others: /صندوق الرمل|بيئة الاختبار/ },
  },
  {
    english: /\blive installations?\b|\bproduction\b/,
    zh: { name: '生产环境', others: /正式安装|正式环境|线上环境/ },
    ar: { name: 'البيئة الفعلية', used: /بيئة (?:ال)?فعلية/, others: /التثبيت الحي|البيئة الحية|بيئة الإنتاج/ },
  },
  {
    english: /\btesters?\b/,
    zh: { name: '测试人员', others: /测试者|体验者/ },
    ar: { name: 'مختبِر', used: /مختبِ?ر/ },
  },
  {
    english: /\bmock users?\b/,
    zh: { name: '模拟用户', others: /虚拟用户|测试用户/ },
    ar: { name: 'مستخدم تجريبي', used: /تجريبي/, others: /مستخدم\S* (?:ال)?وهمي/ },
  },
  {
    english: /\boperators?\b/,
    zh: { name: '运营方', others: /运营者|运营商/ },
    ar: { name: 'مشغّل' },
  },
  {
    english: /\badministrators?\b/,
    zh: { name: '管理员' },
    ar: { name: 'مدير', others: /مسؤول/ },
  },
  {
    english: /\bpayment providers?\b/,
    zh: { name: '支付服务商', others: /支付提供商|支付渠道/ },
    ar: { name: 'مزوّد دفع', used: /مزوّد/ },
  },
  {
    english: /\bcashier\b/,
    zh: { name: '收银台', others: /付款台/ },
    ar: { name: 'شاشة الدفع', used: /شاشة (?:ال)?دفع/ },
  },
  {
    english: /\bsecrets?\b(?! file)/,
    zh: { name: '密钥', used: /密钥|secret/ },
    ar: { name: 'سر', used: /سر|secret/, others: /المفتاح السري/ },
  },
  {
    english: /\bsignatures?\b/,
    zh: { name: '签名', used: /签名|验签/ },
    ar: { name: 'توقيع', used: /توقيع|تواقيع/ },
  },
  {
    english: /\bconsole\b/,
    zh: { name: '控制台', others: /仪表盘|管理后台/ },
    ar: { name: 'لوحة التحكم', used: /لوحة (?:ال)?تحكم/, others: /وحدة التحكم/ },
  },
  {
    english: /\bservice accounts?\b/,
    zh: { name: '服务账号', others: /服务账户|帐号|帐户/ },
    ar: { name: 'حساب خدمة', used: /حساب(?:ات)? (?:ال)?خدمة/ },
  },
  {
    english: /\bsign(?:s|ed)? in\b/,
    zh: { name: '登录', others: /登陆/ },
    ar: { name: 'تسجيل الدخول', used: /تسجيل الدخول|الدخول/ },
  },
  {
    english: /\binspector\b/i,
    zh: { name: '调试器', used: /调试器|Inspector/, others: /检查器/ },
    ar: { name: 'أداة الفحص', used: /أداة الفحص|Inspector/, others: /المفتش/ },
  },
  {
    english: /\bactivity messages?\b/,
    zh: { name: '活动消息' },
    ar: { name: 'رسالة نشاط', used: /رسا(?:لة|ئل) (?:ال)?(?:نشاط|أنشط)/ },
  },
  {
    english: /\bsource maps?\b/i,
    zh: { name: '源码映射', others: /源映射|源代码映射/ },
    ar: { name: 'خرائط المصدر', used: /خرائط المصدر/, others: /خرائط المصادر/ },
  },
  {
    english: /\breviews?\b/,
    zh: { name: '审核', others: /评审|审查/ },
    ar: { name: 'مراجعة', used: /مراجع/ },
  },
]
