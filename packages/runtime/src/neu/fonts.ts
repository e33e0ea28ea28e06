import { loadFont } from './fontFace.ts'
import type { Options, Result } from './table/types.ts'

export async function loadFontFace({ family, source, desc }: Options<'loadFontFace'>): Promise<Result<'loadFontFace'>> {
  await loadFont(family, source, desc)
  return { status: 'loaded' }
}
