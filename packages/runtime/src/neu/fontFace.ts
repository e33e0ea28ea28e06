import { absoluteUrl } from './absoluteUrl.ts'
import { checkDomain } from './domains.ts'

/** Loads a font for the page. `source` is `url("…")`, from an approved host or the app's files. */
export async function loadFont(
  family: string,
  source: string,
  { style = 'normal', weight = 'normal' }: { style?: string; weight?: string } = {},
): Promise<void> {
  const [, quoted = ''] = /^url\((.*)\)$/s.exec(source.trim()) ?? []
  const path = quoted.trim().replace(/^["']|["']$/g, '')
  if (!path) throw new Error('source must be url("…")')
  checkDomain('download', path)
  const font = new FontFace(family, `url(${JSON.stringify(absoluteUrl(path))})`, { style, weight })
  document.fonts.add(await font.load())
}
