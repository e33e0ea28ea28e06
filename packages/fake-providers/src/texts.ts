import type { DeclineReason, Outcome, Payment } from './paymentBook.ts'

/** Texts of the pages. */
export interface Texts {
  notice: string
  notFound: string
  pay: string
  leave: string
  or: string
  number: string
  expiry: string
  cvc: string
  wrongNumber: string
  testCards: string
  challenge: string
  challengeText: string
  confirm: string
  decline: string
  back: string
  states: Record<Exclude<Payment['state'], 'open' | 'challenge'>, string>
  declines: Record<DeclineReason, string>
  outcomes: Record<Outcome, string>
}

const en: Texts = {
  notice: 'Test payment on your own machine. No money moves.',
  notFound: 'Payment not found.',
  pay: 'Pay',
  leave: 'Cancel and go back',
  or: 'or',
  number: 'Card number',
  expiry: 'Expiry',
  cvc: 'Security code',
  wrongNumber: 'Invalid card number. Use one of the test cards below.',
  testCards: 'Test cards',
  challenge: 'Confirm with your bank',
  challengeText: '3-D Secure: your bank asks whether you want to pay',
  confirm: 'Confirm',
  decline: 'Decline',
  back: 'Back to the shop',
  states: {
    processing: 'The payment is being processed.',
    paid: 'The payment has succeeded.',
    declined: 'The payment was declined.',
    canceled: 'The payment was canceled.',
    expired: 'This page has expired.',
  },
  declines: {
    declined: 'The card was declined.',
    insufficientFunds: 'The card has insufficient funds.',
    expiredCard: 'The card has expired.',
    processingError: 'The payment could not be processed. Try again.',
    challengeFailed: 'Your bank did not confirm the payment.',
    walletUnavailable: 'The wallet is not available.',
    walletToken: 'The wallet’s token was refused.',
  },
  outcomes: {
    approved: 'Approved',
    challenge: '3-D Secure',
    delayed: 'Approved after 30 s',
    delayedFailure: 'Declined after 30 s',
    declined: 'Declined',
    insufficientFunds: 'Insufficient funds',
    expiredCard: 'Expired card',
    processingError: 'Processing error',
    challengeFailed: '3-D Secure fails',
    walletUnavailable: 'Wallet not available',
    walletToken: 'Wallet token refused',
  },
}

const ar: Texts = {
  notice: 'دفعة تجريبية على جهازك. لا تنتقل أي أموال.',
  notFound: 'لم يُعثر على عملية الدفع.',
  pay: 'دفع',
  leave: 'إلغاء والرجوع',
  or: 'أو',
  number: 'رقم البطاقة',
  expiry: 'تاريخ الانتهاء',
  cvc: 'رمز الأمان',
  wrongNumber: 'رقم البطاقة غير صالح. استخدم إحدى بطاقات الاختبار أدناه.',
  testCards: 'بطاقات الاختبار',
  challenge: 'التأكيد لدى مصرفك',
  challengeText: 'التحقق \u20663-D Secure\u2069: يسألك مصرفك هل تريد دفع',
  confirm: 'تأكيد',
  decline: 'رفض',
  back: 'الرجوع إلى المتجر',
  states: {
    processing: 'الدفع قيد المعالجة.',
    paid: 'نجح الدفع.',
    declined: 'رُفض الدفع.',
    canceled: 'أُلغي الدفع.',
    expired: 'انتهت صلاحية هذه الصفحة.',
  },
  declines: {
    declined: 'رُفضت البطاقة.',
    insufficientFunds: 'رصيد البطاقة غير كافٍ.',
    expiredCard: 'انتهت صلاحية البطاقة.',
    processingError: 'تعذّرت معالجة الدفع. حاول مرة أخرى.',
    challengeFailed: 'لم يؤكد مصرفك الدفع.',
    walletUnavailable: 'المحفظة غير متاحة.',
    walletToken: 'رُفض رمز المحفظة.',
  },
  outcomes: {
    approved: 'مقبولة',
    challenge: 'التحقق \u20663-D Secure\u2069',
    delayed: 'مقبولة بعد 30 ثانية',
    delayedFailure: 'مرفوضة بعد 30 ثانية',
    declined: 'مرفوضة',
    insufficientFunds: 'رصيد غير كافٍ',
    expiredCard: 'بطاقة منتهية',
    processingError: 'خطأ في المعالجة',
    challengeFailed: 'فشل التحقق \u20663-D Secure\u2069',
    walletUnavailable: 'المحفظة غير متاحة',
    walletToken: 'رمز المحفظة مرفوض',
  },
}

const zh: Texts = {
  notice: '这是您自己电脑上的测试支付，不会动用任何资金。',
  notFound: '未找到该支付。',
  pay: '支付',
  leave: '取消并返回',
  or: '或',
  number: '卡号',
  expiry: '有效期',
  cvc: '安全码',
  wrongNumber: '卡号无效。请使用下面的测试卡。',
  testCards: '测试卡',
  challenge: '请向银行确认',
  challengeText: '3-D Secure：您的银行询问您是否要支付',
  confirm: '确认',
  decline: '拒绝',
  back: '返回商家',
  states: {
    processing: '支付处理中。',
    paid: '支付成功。',
    declined: '支付被拒绝。',
    canceled: '支付已取消。',
    expired: '此页面已过期。',
  },
  declines: {
    declined: '银行卡被拒绝。',
    insufficientFunds: '银行卡余额不足。',
    expiredCard: '银行卡已过期。',
    processingError: '无法处理支付，请重试。',
    challengeFailed: '您的银行未确认此支付。',
    walletUnavailable: '钱包不可用。',
    walletToken: '钱包令牌被拒绝。',
  },
  outcomes: {
    approved: '通过',
    challenge: '3-D Secure 验证',
    delayed: '30 秒后通过',
    delayedFailure: '30 秒后拒绝',
    declined: '拒绝',
    insufficientFunds: '余额不足',
    expiredCard: '卡已过期',
    processingError: '处理错误',
    challengeFailed: '3-D Secure 验证失败',
    walletUnavailable: '钱包不可用',
    walletToken: '钱包令牌被拒绝',
  },
}

const languages: Record<string, Texts> = { en, ar, 'zh-CN': zh }

/** Returns the texts in the requested language, otherwise in the first available language of the browser. */
export function textsFor(requested: string | null, accepted = ''): { texts: Texts; language: string } {
  const preferred = [requested ?? '', ...accepted.split(',').map((each) => each.split(';')[0]!.trim())]
  for (const each of preferred) {
    const language = Object.keys(languages).find((known) => known.split('-')[0] === each.split(/[-_]/)[0])
    if (language !== undefined) return { texts: languages[language]!, language }
  }
  return { texts: en, language: 'en' }
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}
