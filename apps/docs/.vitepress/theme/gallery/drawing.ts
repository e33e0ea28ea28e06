import { type Preview, previewOf } from '@souk/host-view/preview'
import { type PagesConfig, type Platform, resolve } from '@souk/pages'

/** Returns what the gallery draws of a pages.json: its last page, with pop-ups. Throws if the bars are too large. */
export function drawingOf(config: PagesConfig, platform: Platform): Preview | undefined {
  const resolved = resolve(config, { platform, os: 'Android' })
  const page = resolved.pages.at(-1)
  return page && previewOf(resolved, page.path, 'Android', undefined, { showPopups: true })
}
