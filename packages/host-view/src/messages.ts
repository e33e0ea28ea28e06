/** Texts that the host shows instead of the mini app. */
const messages = {
  en: {
    loading: 'Loading',
    retry: 'Try again',
    timeout: 'The mini app did not start.',
    version: 'The mini app was built for another version of this application.',
    outdated: 'This mini app needs a newer version of this application. Update the application, or reload this page.',
    replaced: 'The mini app navigated to another page.',
    manifest: 'The mini app’s configuration cannot be read.',
    storage: 'The mini app’s stored data cannot be read.',
  },
  zh: {
    loading: '加载中',
    retry: '重试',
    timeout: '小程序无法启动。',
    version: '此小程序是为此应用的其他版本构建的。',
    outdated: '该小程序需要更新版本的应用。请更新应用，或重新加载此页面。',
    replaced: '小程序已跳转到其他页面。',
    manifest: '无法读取小程序的配置。',
    storage: '无法读取小程序的存储数据。',
  },
  ar: {
    loading: 'جارٍ التحميل',
    retry: 'إعادة المحاولة',
    timeout: 'تعذّر بدء التطبيق المصغّر.',
    version: 'بُني التطبيق المصغّر لإصدار آخر من هذا التطبيق.',
    outdated: 'يتطلب هذا التطبيق المصغّر إصدارًا أحدث من هذا التطبيق. حدّث التطبيق أو أعد تحميل هذه الصفحة.',
    replaced: 'انتقل التطبيق المصغّر إلى صفحة أخرى.',
    manifest: 'تعذّرت قراءة إعدادات التطبيق المصغّر.',
    storage: 'تعذّرت قراءة البيانات المحفوظة للتطبيق المصغّر.',
  },
}

export type Messages = (typeof messages)['en']
/** The reason why the mini app is not running. */
export type Failure = Exclude<keyof Messages, 'loading' | 'retry'>

/** Returns the texts for a BCP 47 language. */
export function messagesFor(language: string): Messages {
  return messages[language.split('-')[0] as keyof typeof messages] ?? messages.en
}
