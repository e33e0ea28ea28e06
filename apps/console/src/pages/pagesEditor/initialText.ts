import { call } from '../../api/client.ts'
import { inOrder, type Release } from './releaseOrder.ts'
import { starter } from './starter.ts'

/** The initial text of the editor. */
export interface InitialText {
  /** Text with LF line endings. */
  text: string
  /** Version of the source release; undefined for the example. */
  version?: string
  platform?: Release['platform']
  /** Base URL of the release's files, for images. */
  base?: string
}

/** Returns the pages.json of the published release, else of the newest release that includes it, else an example. */
export async function loadInitialText(appid: string, signal: AbortSignal): Promise<InitialText> {
  for (const { url, version, platform } of inOrder(await call('listReleases', { appid }, signal))) {
    const answer = await fetch(`${url}pages.json`, { signal })
    if (!answer.ok) continue
    const text = (await answer.text()).replace(/\r\n?/g, '\n')
    return { text, version, platform, base: new URL(url, location.href).href }
  }
  return { text: starter }
}
