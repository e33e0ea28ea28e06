import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { type PictureName, pictureNames, socialPicture, socialSize } from './names.ts'

const folder = join(import.meta.dirname, '../../docs/pictures')

/** What would differ in each picture that is taken again: addresses, versions, and identifiers, by their form. */
const changing = {
  address: String.raw`(?:http://)?(?:127\.0\.0\.1|localhost):\d+`,
  version: String.raw`\b\d+\.\d+\.\d+\+[0-9a-f]{7,}(?:\.dirty)?`,
  id: String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{32,64}\b|\b[a-z](?=[a-z]*\d)[a-z\d]{14}\b`,
}

/** Takes the pictures, and knows which are missing. */
export class Camera {
  readonly #browser: Browser
  readonly #changing: Record<string, string>
  readonly #taken = new Set<PictureName>()

  /** `address` is that of Souk, which the pictures show under its own name. */
  constructor(browser: Browser, address: string) {
    this.#browser = browser
    this.#changing = {
      souk: `(?:http://)?${new URL(address).host.replaceAll('.', String.raw`\.`)}`,
      ...changing,
    }
  }

  /** Opens an empty page in its own context. */
  async open(viewport: { width: number; height: number }, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport,
      deviceScaleFactor: 1.5,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      locale: 'en',
      ...options,
    })
    return context.newPage()
  }

  /**
   * Writes the page as it is on the screen, or a part of it, in light and dark. WebP takes a third of PNG, which
   * Playwright writes.
   */
  async take(page: Page, name: PictureName, part?: Locator): Promise<void> {
    const session = await page.context().newCDPSession(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .skeleton'))
      // Images are decoded and drawn a moment after they are loaded.
      await page.waitForTimeout(500)
      for (const frame of page.frames()) await frame.evaluate(writeSameTexts, this.#changing)
      const { data } = await session.send('Page.captureScreenshot', {
        format: 'webp',
        quality: 75,
        ...(part && { clip: await placeOf(part), captureBeyondViewport: true }),
      })
      const bytes = Buffer.from(data, 'base64')
      await writeFile(join(folder, `${name}.${colorScheme}.webp`), bytes)
      console.error(`${name}.${colorScheme}.webp: ${Math.ceil(bytes.length / 1000)} KB`)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await session.detach()
    this.#taken.add(name)
  }

  /** Writes the picture that is shown where links to the documentation are shared, which need JPEG, from others. */
  async takeSocial(): Promise<void> {
    const context = await this.#browser.newContext({ viewport: socialSize, colorScheme: 'light' })
    const page = await context.newPage()
    const show = async (name: PictureName) =>
      `data:image/webp;base64,${(await readFile(join(folder, `${name}.light.webp`))).toString('base64')}`
    const logo = await readFile(join(folder, '../../apps/console/public/favicon.svg'), 'utf8')
    await page.setContent(`<style>
      body { margin: 0; overflow: hidden; font-family: sans-serif; color: #1d1b16; background: #faf7f2 }
      h1 { position: absolute; left: 72px; top: 64px; margin: 0; font-size: 56px; line-height: 64px }
      h1 svg { width: 64px; height: 64px; vertical-align: bottom }
      p { position: absolute; left: 72px; top: 144px; margin: 0; font-size: 34px; color: #0b6b63 }
      img { position: absolute; border-radius: 14px; box-shadow: 0 8px 40px #0003 }
    </style><h1>${logo} Souk</h1><p>Mini apps in your own application</p>
    <img src="${await show('console')}" width="860" style="left: 72px; top: 232px">
    <img src="${await show('cashier')}" width="300" style="left: 828px; top: 64px">`)
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
    await page.screenshot({ type: 'jpeg', quality: 80, path: join(folder, socialPicture) })
    await context.close()
  }

  /** @throws Error if a picture has not been taken */
  end(): void {
    const missing = pictureNames.filter((name) => !this.#taken.has(name))
    if (missing.length > 0) throw new Error(`Not taken: ${missing.join(', ')}`)
  }
}

/** Returns the rectangle of an element in its document. */
async function placeOf(part: Locator) {
  const [x, y, width, height] = await part.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left + scrollX, top + scrollY, width, height] as const
  })
  return { x, y, width, height, scale: 1 }
}

/** Replaces what changes in a document by the same texts each time. Runs in the page. */
function writeSameTexts(forms: Record<string, string>): void {
  const any = new RegExp(
    Object.entries(forms)
      .map(([name, form]) => `(?<${name}>${form})`)
      .join('|'),
    'g',
  )
  const same = (text: string) =>
    text.replace(any, (found, ...rest) => {
      const { souk, address, version } = rest.at(-1) as Record<string, string | undefined>
      if (souk) return 'https://souk.example'
      if (address) return 'https://shop.example'
      if (version) return found.slice(0, found.indexOf('+'))
      const letters = 'c0ffee5a17b2d94638'
      return Array.from(found, (_, place) => letters[place % letters.length]).join('')
    })
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode } = texts
    const text = currentNode.nodeValue ?? ''
    if (same(text) !== text) currentNode.nodeValue = same(text)
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input[type=text], input:not([type]), textarea'))
    if (same(field.value) !== field.value) field.value = same(field.value)
}
