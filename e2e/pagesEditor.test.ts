import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { archiveOf, build } from '../apps/server/test/archive.ts'
import { administrator, consoleCall } from './calls.ts'
import { choose, consolePage, faults, type Look, picture, settled, type WatchedPage } from './console.ts'

const fixture = inject('fixture')

/** A separate project, because other tests read the audit log of the fixture's project. */
let project: Promise<string> | undefined
const projectId = () => {
  project ??= consoleCall<{ projectId: string }>('POST', '/projects', { name: 'Tea House' }).then(
    (made) => made.projectId,
  )
  return project
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Tests rely on these line numbers. */
const teaHouse = `{
  // The tea house.
  "globalStyle": {
    "navigationBarBackgroundColor": "#0B6B63",
    "navigationBarTextStyle": "white",
    "navigationBarTitleText": "Tea House",
    "backgroundColor": "#FAF7F2"
  },
  "pages": [
    { "path": "pages/menu/menu" },
    {
      "path": "pages/cart/cart",
      "style": {
        "navigationBarTitleText": "Cart",
        "enablePullDownRefresh": true,
        "app-plus": { "titleNView": { "backgroundColor": "#7A1F5C", "buttons": [{ "text": "Empty" }] } },
        "h5": { "titleNView": { "titleText": "Cart on the web" } }
      }
    },
    { "path": "pages/tea/tea", "style": { "navigationBarTitleText": "Oolong" } },
    { "path": "pages/full/full", "style": { "navigationStyle": "custom" } }
  ],
  "tabBar": {
    "color": "#5C554B",
    "selectedColor": "#0B6B63",
    "backgroundColor": "#FFFFFF",
    "height": "60px",
    "list": [
      { "pagePath": "pages/menu/menu", "text": "Menu", "iconPath": "static/menu.png" },
      { "pagePath": "pages/cart/cart", "text": "Cart", "iconPath": "static/gone.png" }
    ]
  }
}
`

async function newApp(pagesJson?: string): Promise<string> {
  const { appid } = await consoleCall<{ appid: string }>('POST', '/apps', { projectId: await projectId(), name: 'Tea' })
  if (pagesJson === undefined) return appid
  const form = new FormData()
  form.append('version', '1.4.0')
  const files = build('Mini App', { 'pages.json': pagesJson, 'static/menu.png': pixel })
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(files))]), 'release.tar.gz')
  const path = `${fixture.url}/console/v1/apps/${appid}/releases`
  await fetch(path, { method: 'POST', headers: administrator, body: form })
  return appid
}

async function opened(appid: string, look: Partial<Look> = {}): Promise<WatchedPage> {
  const page = await consolePage(look)
  await page.goto(`projects/${await projectId()}/apps/${appid}/pages`)
  await settled(page)
  await page.locator('.cm-content').waitFor({ state: 'attached' })
  return page
}

const looks: Look[] = [
  { language: 'en', scheme: 'light', device: 'desktop' },
  { language: 'zh-CN', scheme: 'dark', device: 'desktop' },
  { language: 'ar', scheme: 'dark', device: 'phone' },
]
test.concurrent.each(looks)('the page in $language, $scheme, $device', async (look) => {
  const page = await opened(await newApp(teaHouse.replace('"height"', '"hieght"')), look)
  const name = `pages.${look.language}.${look.scheme}.${look.device}`
  await picture(page, name)
  expect(await faults(page)).toEqual([])
  if (look.device === 'desktop') return
  await page.locator('#tab-preview').click()
  await page.locator('.neu-navbar').waitFor()
  await picture(page, `${name}.preview`)
  expect(await faults(page)).toEqual([])
})

const text = (page: Page) => page.locator('.cm-content')
const problems = (page: Page) => page.getByRole('region', { name: 'Problems' }).first()
const explained = (page: Page) => page.getByRole('region', { name: 'Why it looks like this' })
const bar = (page: Page) => page.locator('.neu-navbar')

/** Puts the cursor behind a text of the editor. */
async function behind(page: Page, shown: string): Promise<void> {
  const line = page.locator('.cm-line', { hasText: shown }).first()
  await line.click()
  await page.keyboard.press('Home')
  const before = (await line.textContent())!
  const indent = /^\s*/.exec(before)![0].length
  for (let left = before.indexOf(shown) + shown.length - indent; left > 0; left -= 1)
    await page.keyboard.press('ArrowRight')
}

test('marks a typed problem with its line, and fixes it from the text and the list', async () => {
  const page = await opened(await newApp(teaHouse))
  await problems(page).getByText('No problems found.').waitFor()
  await behind(page, '"navigationBarTextStyle": "white"')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('x')
  const told = '"whitex" is not a valid value of'
  await problems(page).getByText(told).waitFor()
  await problems(page).getByRole('button', { name: 'Line 5' }).waitFor()
  const mark = page.locator('.cm-lintRange')
  expect(await mark.textContent()).toBe('"whitex"')
  await mark.hover()
  const tooltip = page.locator('.cm-tooltip-lint')
  await tooltip.getByText(told).waitFor()
  await picture(page, 'pages.diagnostic')
  expect(await faults(page)).toEqual([])
  // The screenshot and axe have scrolled the page.
  await page.mouse.move(0, 0)
  await tooltip.waitFor({ state: 'detached' })
  await mark.hover()
  await tooltip.getByRole('button', { name: 'Write "white"' }).click()
  await problems(page).getByText('No problems found.').waitFor()
  expect(await text(page).textContent()).toContain('"navigationBarTextStyle": "white"')

  await behind(page, '"enablePullDownRefresh": true')
  await page.keyboard.type('r')
  await problems(page).getByRole('button', { name: 'Write "truer"' }).click()
  await problems(page).getByText('takes true or false').waitFor()
  // A fix can be undone like typing.
  await text(page).focus()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await problems(page).getByText('No problems found.').waitFor()

  await behind(page, '"hei')
  await page.keyboard.type('gh')
  await problems(page).getByRole('button', { name: 'Apply all safe fixes' }).click()
  await problems(page).getByText('No problems found.').waitFor()
  expect(await text(page).textContent()).toContain('"height": "60px"')
  expect(page.complaints).toEqual([])
})

test('completes keys and values with descriptions, and documents attributes on hover', async () => {
  const page = await opened(await newApp(teaHouse))
  await behind(page, '"backgroundColor": "#FAF7F2"')
  await page.keyboard.type(',')
  await page.keyboard.press('Enter')
  await page.keyboard.type('"ani')
  const offered = page.locator('.cm-tooltip-autocomplete')
  await offered.getByRole('option', { name: 'animationType' }).waitFor()
  const names = (await offered.getByRole('option').allTextContents()).slice(0, 2)
  expect(names).toEqual(['animationDurationNumber = 300', 'animationTypeString = pop-in'])
  await page.locator('.cm-completionInfo').getByText('animationDuration').waitFor()
  await picture(page, 'pages.completion')
  expect(await faults(page)).toEqual([])
  await offered.getByRole('option', { name: 'animationDuration' }).click()
  expect(await text(page).textContent()).toContain('"animationDuration": 300')

  await page.locator('.cm-line', { hasText: '"enablePullDownRefresh"' }).getByText('enablePullDownRefresh').hover()
  const hover = page.locator('.cm-souk-hover')
  await hover.getByText('Enables pull-to-refresh.').waitFor()
  expect(await hover.locator('strong').textContent()).toBe('enablePullDownRefresh')
  expect(await hover.locator('li').first().textContent()).toBe('Value: true | false')
  await picture(page, 'pages.hover')
  expect(await faults(page)).toEqual([])

  await page.keyboard.type(', "navigationStyle": "')
  await offered.getByRole('option', { name: 'custom' }).click()
  expect(await text(page).textContent()).toContain('"navigationStyle": "custom"')
  await bar(page).waitFor({ state: 'detached' })
})

test('a click on a part, or the cursor, shows and links the line that configures it', async () => {
  const page = await opened(await newApp(teaHouse))
  const line = () => page.locator('.cm-activeLine').textContent()
  await bar(page).getByText('Tea House').click()
  await explained(page).getByText('Not set on the page; inherited from globalStyle, line 6.').waitFor()
  await explained(page).getByRole('button', { name: 'Line 6' }).click()
  expect(await line()).toContain('"navigationBarTitleText": "Tea House"')
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('cm-content')

  await page.locator('.neu-tabbar-item', { hasText: 'Cart' }).click()
  await bar(page).getByText('Cart').waitFor()
  await explained(page).getByText('"pages/cart/cart"').waitFor()
  await explained(page).getByRole('button', { name: 'Line 30' }).first().click()
  expect(await line()).toContain('"pagePath": "pages/cart/cart"')

  await bar(page).getByRole('button', { name: 'Empty' }).click()
  await explained(page).getByText('titleNView.buttons[0].text').waitFor()
  await page.getByRole('button', { name: 'Navigation bar' }).click()
  await explained(page).getByText('app-plus.titleNView.backgroundColor').waitFor()
  await explained(page).getByText('Set on the page, line 16.').waitFor()
  // On H5 the same line applies, with an explanation.
  await page.getByRole('button', { name: 'H5' }).click()
  await explained(page).getByText('h5 does not set it, so app-plus applies (pages-json §2.10)').waitFor()
  await picture(page, 'pages.explained')
  expect(await faults(page)).toEqual([])

  await behind(page, '"navigationBarTitleText": "Oolo')
  await bar(page).getByText('Oolong').waitFor()
  await explained(page).getByText('Set on the page, line 20.').waitFor()
  await behind(page, '"selectedCo')
  await explained(page).getByText('tabBar.selectedColor').waitFor()
  await bar(page).getByText('Oolong').waitFor()

  // Lists the other candidates with their lines.
  await bar(page).getByRole('heading').click()
  await explained(page).getByRole('button', { name: 'Line 6' }).click()
  expect(await line()).toContain('"Tea House"')
  expect(page.complaints).toEqual([])
})

test('the preview matches all three platforms, page by page', async () => {
  const page = await opened(await newApp(teaHouse))
  const tabs = page.locator('.neu-tabbar')
  const look = async () => ({
    bar: (await bar(page).boundingBox())!.height,
    title: await bar(page).locator('.neu-navbar-title').textContent(),
    background: await bar(page)
      .locator('.neu-navbar-background')
      .evaluate((it) => getComputedStyle(it).backgroundColor),
    tabs: (await tabs.count()) === 0 ? 0 : (await tabs.boundingBox())!.height,
  })
  const [green, plum] = ['rgb(11, 107, 99)', 'rgb(122, 31, 92)']
  // The height of tabs is for App and H5 alone (pages-json §2.7).
  expect(await look()).toEqual({ bar: 68, title: 'Tea House', background: green, tabs: 50 })
  expect((await page.getByRole('group', { name: 'Preview of pages/menu/menu' }).boundingBox())!.width).toBe(375)
  const middleOf = async () => {
    const [phone, title] = await Promise.all([
      page.getByRole('group', { name: /^Preview of/ }).boundingBox(),
      bar(page).locator('.neu-navbar-title').boundingBox(),
    ])
    return Math.round(title!.x + title!.width / 2 - phone!.x - phone!.width / 2)
  }
  // Android has it at the start, iOS in the middle (pages-json §2.6 titleAlign).
  expect(await middleOf()).toBeLessThan(-50)
  await page.getByRole('button', { name: 'iOS' }).click()
  expect(await look()).toEqual({ bar: 88, title: 'Tea House', background: green, tabs: 70 })
  expect(Math.abs(await middleOf())).toBeLessThan(6)

  await choose(page, 'Page', 'pages/cart/cart')
  expect(await look()).toEqual({ bar: 88, title: 'Cart', background: plum, tabs: 70 })
  await page.getByRole('button', { name: 'App', exact: true }).click()
  expect(await look()).toEqual({ bar: 88, title: 'Cart', background: plum, tabs: 80 })
  await page.getByRole('button', { name: 'H5' }).click()
  expect(await look()).toEqual({ bar: 44, title: 'Cart on the web', background: plum, tabs: 60 })
  await picture(page, 'pages.h5')

  // Tabs open their pages; other pages have a back button instead.
  await tabs.getByText('Menu').click()
  expect(await look()).toMatchObject({ title: 'Tea House', background: green })
  expect(await tabs.getByText('Menu').evaluate((it) => getComputedStyle(it).color)).toBe(green)
  await choose(page, 'Page', 'pages/tea/tea')
  expect(await look()).toMatchObject({ title: 'Oolong', tabs: 0 })
  await bar(page).getByRole('button', { name: 'Back' }).click()
  expect(await look()).toMatchObject({ title: 'Tea House' })

  await choose(page, 'Page', 'pages/full/full')
  await bar(page).waitFor({ state: 'detached' })
  expect(await faults(page)).toEqual([])
})

test('keeps an edited text until it is discarded', async () => {
  const appid = await newApp(teaHouse)
  const page = await opened(appid)
  await page.getByText('From release 1.4.0 for Mini App.').waitFor()
  await behind(page, '"navigationBarTitleText": "Tea House')
  await page.keyboard.type(' and more')
  await bar(page).getByText('Tea House and more').waitFor()
  await page.getByText('stay in this browser').waitFor()
  await page.reload()
  await settled(page)
  await bar(page).getByText('Tea House and more').waitFor()

  // Another mini app has its own text.
  const other = await newApp()
  await page.goto(`projects/${await projectId()}/apps/${other}/pages`)
  await page.getByText('This is an example').waitFor()
  await problems(page).getByText('No problems found.').waitFor()
  await picture(page, 'pages.starter')
  expect(await faults(page)).toEqual([])

  await page.goBack()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await bar(page).getByText('Tea House', { exact: true }).waitFor()
  await page.getByText('From release 1.4.0 for Mini App.').waitFor()
  await page.reload()
  await bar(page).getByText('Tea House', { exact: true }).waitFor()
  expect(page.complaints).toEqual([])
})

test('opens, drops, formats, copies and downloads a file', async () => {
  const page = await opened(await newApp())
  const one = '{"pages":[{"path":"pages/a/a","style":{"navigationBarTitleText":"One"}}]}'
  await page.locator('input[type=file]').setInputFiles({
    name: 'pages.json',
    mimeType: 'application/json',
    buffer: Buffer.from(one.replace('[', '[\r\n')),
  })
  await bar(page).getByText('One').waitFor()
  await page.getByRole('button', { name: 'Format' }).click()
  const formatted = JSON.stringify(JSON.parse(one), null, 2)
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(formatted)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('pages.json')
  expect((await (await download.createReadStream()).toArray()).join('')).toBe(formatted)

  const dropped = await page.evaluateHandle(
    (content) => {
      const data = new DataTransfer()
      data.items.add(new File([content], 'pages.json', { type: 'application/json' }))
      return data
    },
    one.replace('One', 'Two').replace(']', ''),
  )
  await text(page).dispatchEvent('drop', { dataTransfer: dropped })
  await bar(page).getByText('Two').waitFor()
  // Text with syntax errors cannot be formatted.
  await page.getByRole('button', { name: 'Format' }).click()
  await page.getByText('Cannot format text with syntax errors').waitFor()
  expect(await text(page).textContent()).toContain('"Two"}}}')
  expect(page.complaints).toEqual([])
})

test('is fully operable by keyboard', async () => {
  const page = await opened(await newApp(teaHouse))
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await text(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('x')
  await problems(page).getByRole('button', { name: 'Line 1' }).first().waitFor()
  // Tab leaves the editor for the problem list.
  await page.keyboard.press('Backspace')
  await problems(page).getByText('No problems found.').waitFor()
  await page.keyboard.press('Tab')
  expect(await focused()).not.toContain('globalStyle')
  const walk = async (until: string) => {
    for (let steps = 0; steps < 40 && (await focused()) !== until; steps += 1) await page.keyboard.press('Tab')
    expect(await focused()).toBe(until)
  }
  await walk('H5')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('.neu-navbar')?.getBoundingClientRect().height === 44)
  await walk('Cart')
  await page.keyboard.press('Enter')
  await bar(page).getByText('Cart on the web').waitFor()
  await walk('Title')
  await page.keyboard.press('Enter')
  await explained(page).getByText('h5.titleNView.titleText').waitFor()
  await walk('Line 17')
  await page.keyboard.press('Enter')
  expect(await page.locator('.cm-activeLine').textContent()).toContain('"Cart on the web"')
  await page.keyboard.press('F8')
  expect(page.complaints).toEqual([])
})

test('shows text and preview in tabs on a phone', async () => {
  const page = await opened(await newApp(teaHouse), { device: 'phone' })
  await page.getByRole('tab', { name: 'Preview' }).tap()
  await text(page).waitFor({ state: 'hidden' })
  await bar(page).getByText('Tea House').tap()
  await picture(page, 'pages.phone')
  expect(await faults(page)).toEqual([])
  await explained(page).getByRole('button', { name: 'Line 6' }).tap()
  await text(page).waitFor()
  expect(await page.locator('.cm-activeLine').textContent()).toContain('"Tea House"')
  await bar(page).waitFor({ state: 'hidden' })
  expect(page.complaints).toEqual([])
})
