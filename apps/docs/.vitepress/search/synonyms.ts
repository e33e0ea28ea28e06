/**
 * What pages in English say, and what questions call it. Phrases match word by word. Questions in Chinese and Arabic
 * find pages that are only in English by this table.
 */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  // Signatures and secrets
  signature: ['sign', 'signing', '签名', '验签', 'توقيع', 'التواقيع'],
  'sign mismatch debugging signatures': [
    'sign wrong',
    'wrong sign',
    'sign invalid',
    'invalid sign',
    'signature wrong',
    'wrong signature',
    'signature invalid',
    'invalid signature',
    'signature error',
    'signature fails',
    'signature mismatch',
  ],
  排查签名: ['签名错误', '签名失败', '签名不对', '验签失败'],
  'تصحيح التواقيع': ['توقيع خاطئ', 'خطأ في التوقيع', 'التوقيع غير صحيح'],
  secret: ['app key', 'private key', '密钥', '秘钥', 'مفتاح سري', 'السر'],
  rotate: ['renew', 'change', 'replace', 'leaked', '轮换', '更换', 'تدوير', 'تغيير'],
  'api key': ['access key', 'مفتاح api'],
  'second factor passkey': [
    '2fa',
    'mfa',
    'two factor',
    'multi factor',
    'otp',
    'totp',
    '双因素',
    '两步验证',
    'المصادقة الثنائية',
  ],
  'sign-on': ['sso', 'single sign on', 'saml', 'okta', 'keycloak', 'entra', '单点登录', 'تسجيل الدخول الموحد'],
  'sign-in': ['login', 'log in', '登录', 'تسجيل الدخول'],
  'lost passwords': ['forgot password', 'forgotten password', 'reset password', '忘记密码', 'نسيت كلمة المرور'],
  password: ['密码', 'كلمة المرور'],

  verify: ['check signature', '验证', 'أتحقق', 'التحقق'],

  // Payments
  refund: ['money back', 'reimburse', 'give back', '退款', '退钱', 'استرداد', 'استرجاع', 'أسترد المبلغ'],
  payment: ['pay', 'charge', 'checkout', '支付', '付款', 'الدفع', 'المدفوعات'],
  trade: ['order', 'transaction', '交易', '订单', 'معاملة'],
  provider: ['gateway', 'psp', 'acquirer', '支付服务商', '服务商', 'مزود الدفع'],
  'test cards': [
    'card number',
    'credit card',
    'visa',
    '测试卡',
    '测试卡号',
    '银行卡',
    'بطاقات الاختبار',
    'بطاقة اختبار',
  ],
  'magic amounts': ['test amount', '测试金额', 'مبالغ الاختبار'],
  dispute: ['chargeback'],
  reconciliation: ['reconcile', 'settlement', '对账', 'التسوية'],
  callback: ['payment result', 'notifyUrl', '回调', 'الإشعار بالدفع', 'النداء الراجع'],
  'callbacks failed acknowledge': ['callback not received', 'callback not arriving', 'no callback', 'callback missing'],
  'callbacks received': ['收不到回调', '没有收到回调'],

  // Releases
  'origin cors': ['cors', 'cross origin', 'cross site', '跨域', 'مشاركة الموارد'],
  publish: ['ship', 'roll out', 'go live', '发布', 'نشر'],
  'roll back': ['rollback', 'revert', 'undo', '回滚', 'التراجع'],
  canary: ['gradual', 'staged rollout', 'percentage', '灰度', 'إصدار تدريجي'],
  review: ['approval', 'approve', '审核', 'المراجعة'],
  tester: ['beta', '测试人员', 'المختبرون'],
  pipeline: ['github actions', 'gitlab', 'jenkins', '流水线', 'خط الأنابيب'],
  'mini app': ['小程序', 'تطبيق مصغر', 'التطبيق المصغر', 'التطبيقات المصغرة'],
  'source maps': ['stack trace', 'minified', 'sourcemap'],
  analytics: ['statistics', 'tracking', '统计', 'الإحصاءات', 'التحليلات'],
  'switch off': ['disable', 'turn off', 'opt out', '关闭', 'إيقاف'],
  'development hot updates': ['hot reload', 'live reload', 'hmr', '热更新'],
  'from uni-app': ['uniapp', 'migrate from uni-app', '从 uni-app 迁移'],

  // WeChat, whose files and directives consist of words that mean other things
  neu: ['wx'],
  wechat: ['app.json', 'project.config.json', 'wx:for', 'wx:if', 'wx:key', '微信'],

  // Users and hosts
  'erase users': ['gdpr', 'delete user', 'personal data', '删除用户', 'حذف مستخدم'],
  delete: ['remove', '删除', 'الحذف'],
  'in a web page': ['website', 'web site', 'iframe', '网页', 'موقعي'],
  'mini apps in your own application': ['embed mini app', '嵌入小程序', 'تضمين تطبيق مصغر'],
  embedding: ['embed', 'integrate', '嵌入', 'تضمين'],
  native: ['android', 'ios', 'iphone', 'kotlin', 'swift', 'flutter', 'react native', '安卓', 'أندرويد'],
  notification: ['push', '通知', 'الإشعارات'],
  'events endpoint': ['webhook', 'webhooks', '事件', 'الأحداث'],

  // Operation
  backup: ['back up', 'dump', '备份', 'نسخ احتياطي', 'النسخ الاحتياطي'],
  restore: ['恢复', 'استعادة'],
  upgrade: ['update', 'new version', '升级', 'الترقية'],
  containers: ['docker', 'podman', 'kubernetes', 'k8s', '容器', 'حاوية', 'دوكر'],
  'tls in front': ['nginx', 'https', 'ssl', 'certificate', 'caddy', '证书', 'شهادة'],
  install: ['set up', 'deploy', '安装', '部署', 'التثبيت'],
  'going live': ['production', '上线', 'الإنتاج'],
  settings: ['environment variable', 'env', 'configuration', 'config', '配置', '环境变量', 'الإعدادات'],
  'monitoring metrics': ['prometheus', 'grafana', '监控', 'المراقبة'],
  'rate limited': ['throttle', 'too many requests', 'quota', '429', '限流', 'حد الطلبات'],
  'request timeout timestamp window': ['request timeout'],
  'object storage': ['s3', 'minio', '对象存储', 'تخزين الكائنات'],
  pooler: ['pgbouncer', 'connection pool'],
  database: ['postgres', 'postgresql', '数据库', 'قاعدة البيانات'],
  'high availability': ['failover', 'redundancy', 'cluster', '高可用', 'التوافر العالي'],
  clock: ['time travel', '时钟', 'الساعة'],

  // Programs
  client: ['sdk', 'library', 'python', 'golang', 'java', 'php', '客户端', 'عميل'],
  'errors stable code': ['list of errors', 'list of all errors', 'error codes', '错误码', 'رموز الأخطاء'],
  export: ['download', '导出', 'التصدير'],
}
