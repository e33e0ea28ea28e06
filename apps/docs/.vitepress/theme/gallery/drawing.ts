import { type PagesConfig, type Platform, resolve } from '@souk/pages'
import { type Preview, previewOf } from '@souk/runtime/host/preview.ts'

/** Returns what the gallery draws of a pages.json: its last page, with pop-ups. Throws if the bars are too large. */
export function drawingOf(config: PagesConfig, platform: Platform): Preview | undefined {
  const resolved = resolve(config, { platform, os: 'Android' })
  const page = resolved.pages.at(-1)
  return page && previewOf(resolved, page.path, 'Android', undefined, { showPopups: true })
}
