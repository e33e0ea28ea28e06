/** What the host itself says where a mini app should be. */
const messages = {
  en: {
    loading: 'Loading',
    retry: 'Try again',
    silence: 'The mini app does not start.',
    version: 'The mini app was built for another version of this application.',
    left: 'The mini app was left for another page.',
    manifest: 'The mini app’s configuration cannot be read.',
    storage: 'What the mini app has stored cannot be read.',
  },
  zh: {
    loading: '加载中',
    retry: '重试',
    silence: '小程序无法启动。',
    version: '小程序与此应用的版本不一致。',
    left: '小程序已跳转到其他网页。',
    manifest: '无法读取小程序的配置。',
    storage: '无法读取小程序的存储数据。',
  },
  ar: {
    loading: 'جارٍ التحميل',
    retry: 'إعادة المحاولة',
    silence: 'تعذّر بدء التطبيق المصغر.',
    version: 'بُني التطبيق المصغر لإصدار آخر من هذا التطبيق.',
    left: 'انتقل التطبيق المصغر إلى صفحة أخرى.',
    manifest: 'تعذّرت قراءة إعدادات التطبيق المصغر.',
    storage: 'تعذّرت قراءة البيانات المحفوظة للتطبيق المصغر.',
  },
}

export type Messages = (typeof messages)['en']
/** Why a mini app is not there. */
export type Failure = Exclude<keyof Messages, 'loading' | 'retry'>

/** In a language as BCP 47 has it. */
export function messagesFor(language: string): Messages {
  return messages[language.split('-')[0] as keyof typeof messages] ?? messages.en
}

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.split('-')[0]!) ? 'rtl' : 'ltr'
}
