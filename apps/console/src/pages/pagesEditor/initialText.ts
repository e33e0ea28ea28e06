import { call } from '../../api/client.ts'
import { inOrder, type Release } from './releaseOrder.ts'
import { starter } from './starter.ts'

/** What the editor begins with. */
export interface InitialText {
  /** With line feeds only. */
  text: string
  /** Of the release that it comes from; undefined where there is none. */
  version?: string
  platform?: Release['platform']
  /** Address of the release's files, for pictures. */
  base?: string
}

/** The pages.json of the release that users have, else of the newest one that brings it along, else an example. */
export async function loadInitialText(appid: string, signal: AbortSignal): Promise<InitialText> {
  for (const { url, version, platform } of inOrder(await call('listReleases', { appid }, signal))) {
    const answer = await fetch(`${url}pages.json`, { signal })
    if (!answer.ok) continue
    const text = (await answer.text()).replace(/\r\n?/g, '\n')
    return { text, version, platform, base: new URL(url, location.href).href }
  }
  return { text: starter }
}
