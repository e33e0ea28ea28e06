import type { Result } from '../../api/client.ts'

export type Release = Result<'listReleases'>[number]

/** At most these are asked for their pages.json. */
const most = 4

/** Releases that may bring a pages.json along: the current ones first, that for Mini App before that for App, then from the newest on. */
export function inOrder(releases: readonly Release[]): Release[] {
  const own = releases.filter(({ platform }) => platform !== 'H5')
  const current = own.filter((each) => each.current).sort((a, b) => b.platform.localeCompare(a.platform))
  return [...current, ...own.filter((each) => !each.current)].slice(0, most)
}
