interface Texts {
  run: string
  failed: string
}

const english: Texts = { run: 'Run the example', failed: 'The example could not be loaded. Reload the page.' }

const texts: Readonly<Record<string, Texts>> = {
  zh: { run: '运行示例', failed: '无法加载示例，请刷新页面。' },
  ar: { run: 'تشغيل المثال', failed: 'تعذّر تحميل المثال. أعد تحميل الصفحة.' },
}

export const textsFor = (locale: string): Texts => texts[locale] ?? english
