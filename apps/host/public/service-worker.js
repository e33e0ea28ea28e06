// Service worker of the host: shows system notifications and an offline page. It does not cache responses.

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  event.respondWith(fetch(event.request).catch(() => offlinePage()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(focusOrOpen(event.notification.data.open))
})

/** Opens a path of the host in an existing window, or in a new one. */
async function focusOrOpen(open) {
  const windows = await self.clients.matchAll({ type: 'window' })
  // Pages of embedded mini apps are in frames of other pages.
  const window = windows.find(({ frameType }) => frameType === 'top-level')
  if (!window) return self.clients.openWindow(self.registration.scope + open.slice(1))
  window.postMessage({ open })
  return window.focus()
}

const texts = {
  en: ['No connection', 'Souk reconnects automatically.', 'Try again'],
  'zh-CN': ['没有网络连接', '网络恢复后 Souk 会自动重新连接。', '重试'],
  ar: ['لا يوجد اتصال', 'يعيد Souk الاتصال تلقائيًا.', 'إعادة المحاولة'],
}

/**
 * Returns the offline page. Its script applies the stored language and color scheme: workers cannot read localStorage.
 */
function offlinePage() {
  const page = `<!doctype html>
<html>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Souk</title>
  <style>
    :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
    :root[data-scheme="light"] { color-scheme: light }
    :root[data-scheme="dark"] { color-scheme: dark }
    body { display: grid; align-content: center; justify-items: center; min-height: 100vh; margin: 0; text-align: center;
      background: light-dark(#faf7f2, #151412); color: light-dark(#211e1a, #f1ece4) }
    h1 { margin: 0 0 0.25rem; font-size: 1.25rem }
    p { margin: 0 1.5rem 1.5rem }
    a { padding: 0.6rem 1.5rem; border-radius: 10px; background: light-dark(#0b6b63, #6fd3c6); color: light-dark(#fff, #00332e);
      text-decoration: none }
  </style>
  <h1></h1>
  <p></p>
  <a href=""></a>
  <script>
    const texts = ${JSON.stringify(texts)}
    const preferred = [localStorage.getItem('souk.host.language'), ...navigator.languages].filter(Boolean)
    const languages = preferred.map((wish) => Object.keys(texts).find((name) => name.split('-')[0] === wish.split('-')[0]))
    const language = languages.find(Boolean) ?? 'en'
    const root = document.documentElement
    Object.assign(root, { lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' })
    root.dataset.scheme = localStorage.getItem('souk.host.scheme') ?? 'system'
    for (const [index, place] of ['h1', 'p', 'a'].entries()) document.querySelector(place).textContent = texts[language][index]
    const reload = () => fetch('').then(({ ok }) => ok && location.reload(), () => {})
    addEventListener('online', reload)
    setInterval(reload, 3000)
  </script>
</html>`
  return new Response(page, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}
