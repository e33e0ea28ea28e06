import { type Preview, previewOf } from '@souk/host-view/preview'
import { readPages, resolve } from '@souk/pages'
import type { Result } from '../../api/client.ts'

/** A page with what a host draws around it. */
export interface DrawnPage {
  path: string
  preview: Preview
}

const os = 'Android'

/** Returns the pages of a release in the order of its pages.json; none for a release without one. */
export async function drawPages(
  { platform, url }: Pick<Result<'listReleases'>[number], 'platform' | 'url'>,
  signal: AbortSignal,
): Promise<readonly DrawnPage[]> {
  const answer = await fetch(`${url}pages.json`, { signal })
  if (!answer.ok) return []
  const resolved = resolve(readPages(await answer.text()), { platform, os })
  return resolved.pages.flatMap(({ path }) => {
    const preview = previewOf(resolved, path, os, new URL(url, location.href).href)
    return preview ? [{ path, preview }] : []
  })
}
