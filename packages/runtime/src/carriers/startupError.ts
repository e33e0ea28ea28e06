const texts = {
  en: {
    noHost: 'This mini app only runs inside its host application.',
    noHostMore:
      'Open it there. In development, open /__souk/device on the dev server. To run it as a web page, build it for H5.',
    timeout: 'The host application does not respond.',
    timeoutMore: 'Close the mini app and open it again.',
    version: 'The versions of mini app and host application are incompatible.',
    versionMore: 'Update the application, or build the mini app with the version of Souk that the application uses.',
  },
  zh: {
    noHost: '此小程序需要在宿主应用中运行。',
    noHostMore: '请在宿主应用中打开。开发时请打开开发服务器的 /__souk/device；要作为独立网页，请构建 H5 版本。',
    timeout: '宿主应用没有响应。',
    timeoutMore: '请关闭小程序后重新打开。',
    version: '小程序与宿主应用的版本不兼容。',
    versionMore: '请更新应用，或用与应用相同的 Souk 版本构建小程序。',
  },
  ar: {
    noHost: 'لا يعمل هذا التطبيق المصغّر إلا داخل تطبيقه المضيف.',
    noHostMore: 'افتحه من هناك. أثناء التطوير افتح ‎/__souk/device‎ على خادم التطوير، ولتشغيله صفحةَ ويب ابنِه لمنصة H5.',
    timeout: 'التطبيق المضيف لا يستجيب.',
    timeoutMore: 'أغلق التطبيق المصغّر ثم افتحه من جديد.',
    version: 'إصدارا التطبيق المصغّر والتطبيق المضيف غير متوافقين.',
    versionMore: 'حدّث التطبيق، أو ابنِ التطبيق المصغّر بإصدار Souk الذي يستخدمه التطبيق.',
  },
}

/** Shows an error instead of the app, which cannot run. */
export function showStartupError(reason: 'noHost' | 'timeout' | 'version'): void {
  const language = (['zh', 'ar'] as const).find((each) => navigator.language.startsWith(each)) ?? 'en'
  const box = document.createElement('div')
  box.setAttribute('role', 'alert')
  box.lang = language
  box.dir = language === 'ar' ? 'rtl' : 'ltr'
  box.style.cssText =
    'position:fixed;inset:0;display:grid;align-content:center;justify-items:center;gap:12px;padding:32px;text-align:center;' +
    'font:16px/1.5 system-ui,sans-serif;color:#1d1d1f;background:#fff'
  for (const [tag, key] of [
    ['strong', reason],
    ['span', `${reason}More`],
  ] as const) {
    const line = document.createElement(tag)
    line.style.maxWidth = '32em'
    line.textContent = texts[language][key as keyof typeof texts.en]
    box.append(line)
  }
  document.body.append(box)
}
