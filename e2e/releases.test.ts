import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { release } from '@souk/vite-plugin'
import type { Locator } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { expect, inject, test } from 'vitest'
import releaseTexts from '../apps/console/src/pages/releases/locales/en.ts'
import { archiveOf, build } from '../apps/server/test/archive.ts'
import { administrator, consoleCall, submitRelease } from './calls.ts'
import {
  choose,
  consolePage,
  faults,
  focused,
  type Look,
  openMenu,
  picture,
  settled,
  type WatchedPage,
} from './console.ts'

const fixture = inject('fixture')

/** A separate project, because other tests read the audit log of the fixture's project. */
let project: Promise<string> | undefined
const projectId = () => {
  project ??= consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Bakery' }).then((made) => made.projectId)
  return project
}

async function newApp(name: string): Promise<string> {
  return (await consoleCall<{ appid: string }>('POST', '/apps', { projectId: await projectId(), name })).appid
}

async function upload(appid: string, version: string, files: Record<string, string> = {}, note = ''): Promise<string> {
  return send(appid, version, build('Mini App', files), note)
}

async function send(
  appid: string,
  version: string,
  files: Record<string, string | Buffer>,
  note = '',
): Promise<string> {
  const form = new FormData()
  form.append('version', version)
  form.append('note', note)
  if (note) form.append('notes', JSON.stringify({ ar_SA: 'قائمة جديدة', zh_CN: '新菜单' }))
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(files))]), 'release.tar.gz')
  const path = `${fixture.url}/console/v1/apps/${appid}/releases`
  const answer = await fetch(path, { method: 'POST', headers: administrator, body: form })
  return ((await answer.json()) as { url: string }).url
}

/** Reads a QR code from the pixels that the page draws. */
async function readCode(image: Locator): Promise<string> {
  const picture = (await image.screenshot()).toString('base64')
  const pixels = await image.evaluate(async (_, base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    canvas.drawImage(bitmap, 0, 0)
    const { width, height, data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height)
    return { width, height, data: [...data] }
  }, picture)
  return decodeQR({ ...pixels, data: Uint8Array.from(pixels.data) })
}

test('submits, publishes, rolls back and deletes releases, and selects testers', async () => {
  const appid = await newApp('Release Coffee')
  const page = await consolePage()
  await page.goto(`projects/${await projectId()}/apps/${appid}`)
  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await page.getByText('No releases yet').waitFor()
  await page.getByText(`souk upload --appid ${appid}`).waitFor()
  expect(await faults(page)).toEqual([])

  await upload(appid, '1.0.0')
  const pages = ['pages/index/index', 'pages/menu/menu']
  const pagesJson = JSON.stringify({
    pages: pages.map((path) => ({ path, style: { navigationBarTitleText: 'Cakes' } })),
  })
  const files = build('Mini App', { 'pages.json': pagesJson }, pages)
  const canaryUrl = await send(appid, '1.1.0', files, 'كعك جديد · 新菜单')
  // The page shows uploads without a reload.
  await page.getByText('English: كعك جديد').waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Link and QR code: 1.0.0, Mini App' }).click()
  await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor()
  const link = dialog.getByText(/\/host\/apps\/\w+\?release=[0-9a-f]{32}$/)
  await link.waitFor()
  await dialog.getByText('A phone cannot open localhost.').waitFor()
  expect(await readCode(dialog.getByRole('img', { name: 'QR code of the link' }))).toBe(await link.innerText())
  await choose(page, 'Page', 'pages/index/index')
  await choose(page, 'Opens', 'The newest version in development')
  await dialog.getByText(/\?page=pages%2Findex%2Findex&stage=development$/).waitFor()
  expect(await faults(page)).toEqual([])
  await choose(page, 'Page', 'pages/menu/menu')
  await dialog.getByText(/\?page=pages%2Fmenu%2Fmenu&stage=development$/).waitFor()
  // The other release does not have this page.
  await choose(page, 'Opens', '1.0.0, Mini App')
  await dialog.getByText(/\/host\/apps\/\w+\?release=[0-9a-f]{32}$/).waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()

  await page.getByRole('button', { name: 'Submit for review: 1.0.0, Mini App' }).click()
  // The mini app is in English only.
  const whatIsNew = (language: string) => dialog.getByRole('textbox', { name: language, exact: true })
  await whatIsNew('English').fill('The first menu')
  expect(await whatIsNew('Arabic').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Add a language' }).click()
  await openMenu(page).getByText('Arabic').click()
  await whatIsNew('Arabic').and(focused(page)).fill('أول قائمة')
  expect(await whatIsNew('English').inputValue()).toBe('The first menu')
  await dialog.getByRole('textbox', { name: 'Test account' }).fill('layla, tea')
  const screenshot = { name: 'menu.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await dialog.locator('input[type=file]').setInputFiles([screenshot])
  expect(await faults(page)).toEqual([])
  await picture(page, 'release-submit-languages.en.light.desktop')
  await dialog.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.getByRole('link', { name: 'Review: 1.0.0, Mini App' }).click()
  await rejectRelease(page)
  await page.getByRole('link', { name: 'Review: 1.0.0, Mini App' }).getByText('Rejected').waitFor()
  for (const version of ['1.0.0', '1.1.0']) {
    await page.getByRole('button', { name: `Publish: ${version}, Mini App` }).click()
    await dialog.getByText('All users get this version').waitFor()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('row', { name: version }).getByText('Live').waitFor()
    if (version === '1.0.0') await rollOut(page, appid, canaryUrl)
  }
  await page.getByRole('link', { name: 'Overview', exact: true }).last().click()
  const live = page.getByRole('region', { name: 'Version 1.1.0 for Mini App' })
  await live.getByText('Layla Haddad').first().waitFor()
  await live.getByRole('img', { name: 'First page of the mini app' }).waitFor()
  await settled(page)
  await picture(page, 'app-live.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await live.getByRole('button', { name: 'Roll back to 1.0.0' }).click()
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('region', { name: 'Version 1.0.0 for Mini App' }).waitFor()
  await page.getByRole('link', { name: 'Releases', exact: true }).click()
  await page.getByRole('row', { name: '1.0.0' }).getByText('Live').waitFor()
  await page.getByRole('row', { name: '1.1.0' }).getByText('Replaced').waitFor()
  expect(await page.getByRole('button', { name: 'Delete: 1.0.0, Mini App' }).count()).toBe(0)

  const testers = page.getByRole('region', { name: 'Testers' })
  await testers.getByRole('combobox', { name: 'Users' }).click()
  await openMenu(page).getByRole('option').first().click()
  await page.keyboard.press('Escape')
  // Toasts are queued; this one would be the fifth.
  const saved = page.waitForResponse(
    (answer) => answer.url().endsWith('/testers') && answer.request().method() === 'POST',
  )
  await testers.getByRole('button', { name: 'Save' }).click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  await testers.locator('.chip').first().waitFor()
  expect(await testers.locator('.chip').count()).toBe(1)

  await page.getByRole('button', { name: 'Delete: 1.1.0, Mini App' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: '1.1.0' }).waitFor({ state: 'detached' })
  expect(await faults(page)).toEqual([])
})

/** Submits the first release of a new mini app for review. */
async function submitted(name: string) {
  const appid = await newApp(name)
  await upload(appid, '1.0.0')
  const [made] = await consoleCall<{ releaseId: string }[]>('GET', `/apps/${appid}/releases`)
  const { reviewId } = await submitRelease(appid, made!.releaseId)
  const releases = `projects/${await projectId()}/apps/${appid}/releases`
  return { reviewId, releases, release: `apps/${appid}/releases/${made!.releaseId}` }
}

test('asks before a review ends in the list of releases', async () => {
  const { reviewId, releases } = await submitted('Review Coffee')
  await consoleCall('POST', `/reviews/${reviewId}/approve`, {})
  const page = await consolePage()
  await page.goto(releases)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Return to development: 1.0.0' }).click()
  await dialog.getByText('Its review ends, even if it is approved.').waitFor()
  await picture(page, 'release-withdraw.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Review: 1.0.0, Mini App' }).getByText('Approved').waitFor()
  await page.getByRole('button', { name: 'Return to development: 1.0.0' }).click()
  await dialog.getByLabel('Reason').fill('The notes are missing.')
  await dialog.getByRole('button', { name: 'Return to development' }).click()
  await page.getByRole('button', { name: 'Submit for review: 1.0.0' }).waitFor()
})

test('the page of a review follows the decisions of others', async () => {
  const { reviewId, release } = await submitted('Decided Coffee')
  const page = await consolePage()
  await page.goto(`projects/${await projectId()}/${release}/review`)
  await page.getByRole('button', { name: 'Start review' }).waitFor()
  await consoleCall('POST', `/reviews/${reviewId}/approve`, {})
  await page.getByRole('button', { name: 'Start review' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
})

test('an administrator approves with a note for the developer', async () => {
  const { release } = await submitted('Noted Coffee')
  const page = await consolePage()
  await page.goto(`projects/${await projectId()}/${release}/review`)
  await page.getByRole('button', { name: 'Approve' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note for the developer').fill('Publish it on Monday.')
  expect(await faults(page)).toEqual([])
  await picture(page, 'review-approve.en.light.desktop')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  // In the summary, and in the history.
  await expect.poll(() => page.getByText('Publish it on Monday.').count()).toBe(2)
})

test('reasons for a rejection are not sent for a later submission', async () => {
  const { reviewId, release } = await submitted('Resubmitted Coffee')
  const page = await consolePage()
  await page.goto(`projects/${await projectId()}/${release}/review`)
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Required changes').fill('The notes are missing.')
  await consoleCall('POST', `/${release}/stage`, { stage: 'development' })
  const { reviewId: later } = await consoleCall<{ reviewId: string }>('POST', `/${release}/submit`, {
    note: 'With notes',
  })
  await page.getByText('With notes').waitFor()
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog.getByText('review_state_conflict').waitFor()
  expect(later).not.toBe(reviewId)
  expect(await consoleCall('GET', `/${release}/review`)).toMatchObject({
    review: { reviewId: later, state: 'submitted' },
  })
})

test('asks before a choice of testers is lost', async () => {
  const page = await consolePage()
  await page.goto(`projects/${await projectId()}/apps/${await newApp('Tested Coffee')}/releases`)
  await page.getByRole('region', { name: 'Testers' }).getByRole('combobox', { name: 'Users' }).click()
  await openMenu(page).getByRole('option').first().click()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Members', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
})

test('asks before testers that someone else has saved are replaced', async () => {
  const appid = await newApp('Shared Coffee')
  const [own, other] = fixture.uids
  const page = await consolePage()
  await page.goto(`projects/${await projectId()}/apps/${appid}/releases`)
  const testers = page.getByRole('region', { name: 'Testers' })
  await testers.getByRole('combobox', { name: 'Users' }).click()
  await openMenu(page)
    .getByRole('option', { name: String(own) })
    .click()
  await page.keyboard.press('Escape')
  await consoleCall('POST', `/apps/${appid}/testers`, { uids: [other] })
  await testers.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(releaseTexts.testers.replaceText).waitFor()
  expect(await faults(page)).toEqual([])
  expect(await consoleCall('GET', `/apps/${appid}/testers`)).toEqual({ uids: [other] })
  await dialog.getByRole('button', { name: releaseTexts.testers.replace }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await consoleCall('GET', `/apps/${appid}/testers`)).toEqual({ uids: [own] })
})

/** Rolls version 1.1.0 out to all users, opens it in the host, and pauses it. Publishing it ends the roll-out. */
async function rollOut(page: WatchedPage, appid: string, canaryUrl: string): Promise<void> {
  await page.getByRole('button', { name: 'Roll out: 1.1.0, Mini App' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('spinbutton', { name: 'Share of users' }).fill('20')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Roll out', exact: true }).click()
  const card = page.getByRole('region', { name: 'Roll-out of version 1.1.0' })
  await card.getByText('Rolling out', { exact: true }).waitFor()
  await page.getByRole('row', { name: '1.1.0' }).getByText('Rolling out · 20%').waitFor()
  await page.getByRole('link', { name: 'Overview', exact: true }).last().click()
  // The page of releases has the same card.
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  await card.getByRole('slider', { name: 'Share of users' }).press('End')
  await settled(page)
  await picture(page, 'app-canary.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await card.getByRole('button', { name: 'Widen' }).click()
  await card.getByText('100% of users').waitFor()
  await page.getByRole('link', { name: 'Releases', exact: true }).click()

  const host = await page.context().newPage()
  await host.goto(`${fixture.url}/host/apps/${appid}`)
  await host.getByRole('button', { name: 'Sam' }).or(host.locator('iframe')).first().waitFor()
  const person = host.getByRole('button', { name: 'Sam' }).first()
  if (await person.isVisible()) await person.click()
  await host.waitForSelector(`iframe[src*="${canaryUrl}"]`)
  await host.close()

  await page.reload()
  await card.getByRole('row', { name: 'Openings' }).first().getByRole('cell', { name: '1', exact: true }).waitFor()
  await picture(page, 'release-canary.en.light.desktop')
  expect(await faults(page)).toEqual([])
  await card.getByRole('button', { name: 'Pause' }).click()
  await dialog.getByLabel('Reason').fill('The menu is empty.')
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await card.getByText('Paused', { exact: true }).waitFor()
  await card.getByRole('button', { name: 'End roll-out' }).click()
  await dialog.getByText('All users get the published version.').waitFor()
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

/** Reviews the release of the page as an administrator: opens it in the host, and rejects it. */
async function rejectRelease(page: WatchedPage): Promise<void> {
  await page.getByText('layla, tea').waitFor()
  await page.getByText('The first menu').waitFor()
  await page.getByText('أول قائمة').waitFor()
  await page.getByText('No release is published for this platform yet.').waitFor()
  const image = page.getByRole('img', { name: 'Screenshot 1' })
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
  await picture(page, 'review-screenshots.en.light.desktop')
  const review = page.url()
  const [host] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open in the host' }).click(),
  ])
  // Not a tester, but the preview opens the release.
  await host.getByRole('button', { name: 'Sam' }).first().click()
  await host.waitForSelector(`iframe[src*="${/releases\/([0-9a-f]+)\/review/.exec(review)![1]}"]`)
  await host.close()

  await page.getByRole('button', { name: 'Start review' }).click()
  await page.getByRole('list').getByText('In review', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Required changes' }).fill('The cake is a lie.')
  expect(await faults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  // As the reason of the block, and in the history of the review.
  await expect.poll(() => page.getByText('The cake is a lie.').count()).toBe(2)
  await page.goto(`projects/${await projectId()}/apps/${/apps\/([^/]+)/.exec(review)![1]}/releases`)
}

const drawnPages = JSON.stringify({
  pages: [
    { path: 'pages/index/index', style: { navigationBarTitleText: 'Coffee', navigationBarBackgroundColor: '#4e342e' } },
    { path: 'pages/order/order', style: { navigationBarTitleText: 'Your order' } },
  ],
  tabBar: {
    color: '#666666',
    selectedColor: '#4e342e',
    backgroundColor: '#ffffff',
    list: [
      { pagePath: 'pages/index/index', text: 'Menu' },
      { pagePath: 'pages/order/order', text: 'Order' },
    ],
  },
})

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'phone' },
  { language: 'ar', scheme: 'dark', device: 'desktop' },
]
test.concurrent.each(looks)('the page of releases in $language, $scheme, $device', async (look) => {
  const appid = await newApp('Look Coffee')
  await upload(appid, '1.0.0', { 'assets/index-aaaa1111.js': '1' })
  const later = { 'assets/index-bbbb2222.js': '22', 'pages.json': drawnPages, 'assets/cart.js': '3' }
  await upload(appid, '1.1.0', later, 'New menu')
  await upload(appid, '2.0.0-beta.1')
  const api = `${fixture.url}/console/v1/apps/${appid}/releases`
  const made = (await (await fetch(api, { headers: administrator })).json()) as { releaseId: string }[]
  await consoleCall('POST', `/apps/${appid}/releases/${made[2]!.releaseId}/publish`, {})
  await consoleCall('POST', `/apps/${appid}/releases/${made[1]!.releaseId}/stage`, { stage: 'review' })
  const page = await consolePage(look)
  await page.goto(`projects/${await projectId()}/apps/${appid}/releases`)
  await settled(page)
  // Cell contents do not overflow, even in narrow layouts.
  const spilled = await page.locator('td').evaluateAll((cells) =>
    cells
      .filter((cell) => {
        const { top, bottom } = cell.getBoundingClientRect()
        return [...cell.querySelectorAll('*')].some((part) => {
          const inner = part.getBoundingClientRect()
          return inner.height > 0 && (inner.top < top || inner.bottom > bottom)
        })
      })
      .map((cell) => cell.textContent),
  )
  expect(spilled).toEqual([])
  await picture(page, `releases.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])
  await page
    .getByRole('button', { name: /2\.0\.0-beta\.1/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('textbox').first().waitFor()
  await picture(page, `release-submit.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])

  await page.goto('reviews')
  await settled(page)
  await picture(page, `reviews.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])
  await page.goto(`projects/${await projectId()}/apps/${appid}/releases/${made[1]!.releaseId}/review`)
  await settled(page)
  await page.getByRole('img', { name: 'pages/order/order' }).waitFor()
  await page.locator('summary').nth(1).click()
  await page.getByText('assets/index-bbbb2222.js').waitFor()
  await page.evaluate(() => scrollTo(0, 0))
  await picture(page, `review.${look.language}.${look.scheme}.${look.device}`)
  expect(await faults(page)).toEqual([])
})

test('a release runs in a frame and standalone with its own origin, isolated from the server', async () => {
  const appid = await newApp('Frame Coffee')
  const url = await upload(appid, '1.0.0', {
    'index.html': [
      '<!doctype html><html lang="en"><title>Tea</title><link rel="stylesheet" crossorigin href="./assets/tea.css">',
      '<body><p id="tea">Tea</p><script>\r\nwindow.inline = true\r\n</script>',
      '<script type="module" crossorigin src="./assets/entry.js"></script></body></html>',
    ].join('\r\n'),
    'assets/tea.css': '#tea { color: rgb(1, 2, 3) }',
    'assets/entry.js': `
      import { leaf } from './leaf.js'
      const attempt = (what) => { try { return String(what()) } catch (error) { return error.name } }
      const added = document.createElement('script')
      added.textContent = 'window.added = true'
      document.body.append(added)
      const manifest = await fetch(new URL('../souk-app.json', import.meta.url)).then((answer) => answer.json())
      const session = await fetch('/console/v1/session').then(() => 'read', (error) => error.name)
      document.body.dataset.seen = JSON.stringify({
        leaf, inline: window.inline === true, added: window.added === true, origin: window.origin,
        color: getComputedStyle(document.getElementById('tea')).color, version: manifest.version, session,
        storage: attempt(() => localStorage.length), cookie: attempt(() => document.cookie),
        around: attempt(() => window.parent === window ? 'alone' : parent.document.title),
      })`,
    'assets/leaf.js': `export const leaf = 'green'`,
  })
  const page = await consolePage()
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  const around = '/host/e2e-frame'
  await page.route(`**${around}`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Host</title><iframe sandbox="allow-scripts allow-forms" src="${url}"></iframe>`,
    }),
  )
  const right = {
    leaf: 'green',
    inline: true,
    added: false,
    origin: 'null',
    color: 'rgb(1, 2, 3)',
    version: 1,
    session: 'TypeError',
    storage: 'SecurityError',
    cookie: 'SecurityError',
  }
  await page.goto(`${fixture.url}${around}`)
  const framed = page.frameLocator('iframe').locator('body[data-seen]')
  expect(JSON.parse((await framed.getAttribute('data-seen'))!)).toEqual({ ...right, around: 'SecurityError' })

  await page.goto(`${fixture.url}${url}`)
  const alone = page.locator('body[data-seen]')
  expect(JSON.parse((await alone.getAttribute('data-seen'))!)).toEqual({ ...right, around: 'alone' })
  expect(warnings).toEqual([])

  // The server's own pages do not run its scripts either.
  await page.goto(`${fixture.url}/console/`)
  const ran = await page.evaluate(
    (src) =>
      new Promise((resolve) => {
        const script = Object.assign(document.createElement('script'), { src, type: 'module' })
        script.onload = () => resolve('ran')
        script.onerror = () => resolve('refused')
        document.head.append(script)
      }),
    `${url}assets/leaf.js`,
  )
  expect(ran).toBe('refused')
})

test('a build runs under the content security policy of releases', async () => {
  const project = await mkdtemp(join(tmpdir(), 'souk-release-'))
  await mkdir(join(project, 'pages/index'), { recursive: true })
  const page = { path: 'pages/index/index', style: { navigationBarTitleText: 'Tea House' } }
  await writeFile(join(project, 'pages.json'), JSON.stringify({ pages: [page] }))
  await writeFile(
    join(project, 'pages/index/index.vue'),
    `<template><view class="tea" style="width: 100rpx">{{ text }}</view></template>
     <script setup>
     import { ref } from 'vue'
     const text = ref('Tea')
     setTimeout(() => { text.value = 'Tea is ready' })
     </script>
     <style>.tea { color: rgb(4, 5, 6) }</style>`,
  )
  const appid = await newApp('Build Coffee')
  const urls: Record<string, string> = {}
  for (const platform of ['H5', 'Mini App'] as const) {
    const { folder, files } = await release({ project, platform })
    const contents = await Promise.all(
      files.map(async ({ path }) => [path, await readFile(join(folder, path))] as const),
    )
    urls[platform] = await send(appid, '1.0.0', Object.fromEntries(contents))
  }
  await rm(project, { recursive: true })

  // On H5 it needs no host and draws everything itself.
  const alone = await consolePage()
  await alone.goto(fixture.url + urls.H5)
  await alone.getByText('Tea is ready').waitFor()
  expect(await alone.getByText('Tea is ready').evaluate((tea) => getComputedStyle(tea).color)).toBe('rgb(4, 5, 6)')
  expect(alone.complaints).toEqual([])

  // In a frame without a host, it gets as far as the handshake.
  const host = await consolePage()
  const around = '/host/e2e-hello'
  const body = `<!doctype html><title>Host</title><script>
    addEventListener('message', ({ origin, data, ports }) => { window.hello = { origin, data, ports: ports.length } })
    </script><iframe sandbox="allow-scripts allow-forms" src="${urls['Mini App']}"></iframe>`
  await host.route(`**${around}`, (route) => route.fulfill({ contentType: 'text/html', body }))
  await host.goto(fixture.url + around)
  await host.waitForFunction('window.hello')
  expect(await host.evaluate('window.hello')).toMatchObject({ origin: 'null', ports: 1 })
  expect(host.complaints).toEqual([])
})
