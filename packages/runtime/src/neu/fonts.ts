import { absoluteUrl } from './absoluteUrl.ts'
import { checkDomain } from './domains.ts'
import type { Options, Result } from './table/types.ts'

export async function loadFontFace({ family, source, desc }: Options<'loadFontFace'>): Promise<Result<'loadFontFace'>> {
  const [, quoted = ''] = /^url\((.*)\)$/s.exec(source.trim()) ?? []
  const path = quoted.trim().replace(/^["']|["']$/g, '')
  if (!path) throw new Error('source must be url("…")')
  checkDomain('download', path)
  const { style = 'normal', weight = 'normal' } = desc ?? {}
  const font = new FontFace(family, `url(${JSON.stringify(absoluteUrl(path))})`, { style, weight })
  document.fonts.add(await font.load())
  return { status: 'loaded' }
}
