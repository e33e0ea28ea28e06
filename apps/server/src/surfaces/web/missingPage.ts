import { dark, light, type Palette, radius } from '@souk/design'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createNonce } from './nonce.ts'
import { missingPolicy } from './policy.ts'

/** Texts by language, in the order in which they are offered; the first one is for all other languages. */
const texts = {
  en: {
    title: 'Page not found',
    text: 'There is no page at this address. Check it, or go on from here:',
    links: ['Open the host', 'Open the console'],
  },
  'zh-CN': {
    title: '页面不存在',
    text: '此网址没有对应的页面。请检查是否输入有误，或从这里继续：',
    links: ['打开宿主应用', '打开控制台'],
  },
  ar: {
    title: 'الصفحة غير موجودة',
    text: 'لا توجد صفحة على هذا العنوان. تحقّق من كتابته، أو تابع من هنا:',
    links: ['فتح التطبيق المضيف', 'فتح لوحة التحكم'],
  },
} as const
type Language = keyof typeof texts

/** Returns whether a browser asks for a page. Programs that accept anything get JSON. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '')
}

/** Returns the first language of the browser that the page has. */
function languageOf(accepted = ''): Language {
  for (const [range = ''] of accepted.split(',').map((each) => each.trim().split(/[-;]/))) {
    const found = (Object.keys(texts) as Language[]).find((language) => language.split('-')[0] === range.toLowerCase())
    if (found) return found
  }
  return 'en'
}

/** Answers an unknown address in a browser. The page says nothing about the address, and runs no script. */
export function sendMissingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const nonce = createNonce()
  return reply
    .code(404)
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .header('Content-Security-Policy', missingPolicy(nonce))
    .header('Referrer-Policy', 'same-origin')
    .header('Vary', 'Accept, Accept-Language')
    .send(pageIn(languageOf(request.headers['accept-language']), nonce))
}

const colorOf = (role: keyof Palette) => `light-dark(${light[role]}, ${dark[role]})`

function pageIn(language: Language, nonce: string): string {
  const { title, text, links } = texts[language]
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Souk</title>
    <link rel="icon" href="/console/favicon.svg" type="image/svg+xml">
    <style nonce="${nonce}">
      :root {
        color-scheme: light dark;
        --background: ${colorOf('background')};
        --text: ${colorOf('text')};
        --muted: ${colorOf('textMuted')};
        --primary: ${colorOf('primary')};
        --on-primary: ${colorOf('onPrimary')};
        --outline: ${colorOf('outlineStrong')};
        font: 0.9375rem/1.6 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Segoe UI', 'Noto Sans Arabic',
          system-ui, sans-serif;
        background: var(--background);
        color: var(--text);
      }
      main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; text-align: center }
      h1 { margin: 1.5rem 0 0.5rem; font-size: 1.75rem; line-height: 1.3 }
      p { margin: 0 0 1.5rem; color: var(--muted); text-wrap: balance }
      nav { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: center }
      a { padding: 0.5rem 1.25rem; border: 1px solid var(--outline); border-radius: ${radius.medium}px; color: inherit;
        text-decoration: none }
      a:first-child { border-color: var(--primary); background: var(--primary); color: var(--on-primary) }
      a:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px }
    </style>
  </head>
  <body>
    <main>
      <img src="/console/favicon.svg" width="56" height="56" alt="Souk">
      <h1>${title}</h1>
      <p>${text}</p>
      <nav><a href="/host/">${links[0]}</a><a href="/console/">${links[1]}</a></nav>
    </main>
  </body>
</html>
`
}
