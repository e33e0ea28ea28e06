import type { Result } from '../../api/client.ts'

export type Release = Result<'listReleases'>[number]

/** Maximum number of releases to look for a pages.json in. */
const most = 4

/** Returns the releases that may contain a pages.json: current ones first (Mini App before App), then newest first. */
export function inOrder(releases: readonly Release[]): Release[] {
  const own = releases.filter(({ platform }) => platform !== 'H5')
  const current = own.filter((each) => each.current).sort((a, b) => b.platform.localeCompare(a.platform))
  return [...current, ...own.filter((each) => !each.current)].slice(0, most)
}
