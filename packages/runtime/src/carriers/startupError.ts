const texts = {
  en: {
    alone: 'This mini app runs inside its host application.',
    aloneMore:
      'Open it there. In development, open /__souk/device of the dev server; for a page of its own, build it for H5.',
    silence: 'The host application does not answer.',
    silenceMore: 'Close the mini app and open it again.',
    version: 'The host application is of another version.',
    versionMore: 'Update the application, or build the mini app with the version of Souk that the application has.',
  },
  zh: {
    alone: '此小程序需要在宿主应用中运行。',
    aloneMore: '请在宿主应用中打开。开发时请打开开发服务器的 /__souk/device；要作为独立网页，请构建 H5 版本。',
    silence: '宿主应用没有响应。',
    silenceMore: '请关闭小程序后重新打开。',
    version: '宿主应用的版本不一致。',
    versionMore: '请更新应用，或用与应用相同的 Souk 版本构建小程序。',
  },
  ar: {
    alone: 'يعمل هذا التطبيق المصغر داخل تطبيقه المضيف.',
    aloneMore: 'افتحه من هناك. أثناء التطوير افتح ‎/__souk/device‎ على خادم التطوير، ولصفحة مستقلة ابنِه لمنصة H5.',
    silence: 'التطبيق المضيف لا يستجيب.',
    silenceMore: 'أغلق التطبيق المصغر ثم افتحه من جديد.',
    version: 'إصدار التطبيق المضيف مختلف.',
    versionMore: 'حدّث التطبيق، أو ابنِ التطبيق المصغر بإصدار Souk الذي يستخدمه التطبيق.',
  },
}

/** In place of the app, which cannot run. */
export function showStartupError(reason: 'alone' | 'silence' | 'version'): void {
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
