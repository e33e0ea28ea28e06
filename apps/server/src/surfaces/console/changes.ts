import { type InstallationList, type ProjectList, projectLists, second } from '@souk/contract'
import type { FullContext } from '../../domain/context.ts'
import { findNewestOfLists } from '../../domain/operations/index.ts'
import type { UserNews } from '../../kernel/outbox.ts'
import type { ChangedList, Live, openEventStream } from '../live.ts'

/** Changes are collected for this time, so that a busy project does not make its console reload without a pause. */
const interval = 2 * second

interface WatchedProject {
  projectId: string
  newest: Awaited<ReturnType<typeof findNewestOfLists>>
}

const isOfProject = (list: ChangedList['list']): list is ProjectList => projectLists.some((each) => each === list)

/** Sends the names of the lists of all projects that change, until the stream is closed. */
export function streamInstallation(live: Live, stream: ReturnType<typeof openEventStream>): void {
  const onList = ({ list }: ChangedList) => {
    if (!isOfProject(list)) stream.send('changed', { lists: [list satisfies InstallationList] })
  }
  const sendResync = () => stream.send('resync', {})
  live.on('list', onList)
  live.on('resync', sendResync)
  stream.onClose(() => {
    live.off('list', onList)
    live.off('resync', sendResync)
  })
}

/** Sends the names of the project's lists that change, until the stream is closed. */
export function streamChanges(
  context: FullContext,
  live: Live,
  stream: ReturnType<typeof openEventStream>,
  { projectId, newest }: WatchedProject,
): void {
  const changed = new Set<ProjectList>()
  let lastSent = newest
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function note(appid: string, list: ProjectList): Promise<void> {
    if ((await context.apps.find(appid))?.projectId === projectId) changed.add(list)
  }
  const onList = ({ appid, list }: ChangedList) => {
    if (isOfProject(list)) void note(appid, list).catch(onFailure)
  }
  const onUser = (news: UserNews) => {
    if (news.event === 'trade') onList({ appid: news.appid, list: 'trades' })
  }
  const onFailure = (error: unknown) => context.log.warn({ projectId, error: String(error) }, 'a list was not watched')
  const sendResync = () => stream.send('resync', {})

  async function report(): Promise<void> {
    const found = await findNewestOfLists(context.sql, projectId)
    for (const list of ['trades', 'requests', 'audit'] as const) if (found[list] !== lastSent[list]) changed.add(list)
    lastSent = found
    if (changed.size === 0) return
    stream.send('changed', { lists: [...changed] })
    changed.clear()
  }
  function schedule(): void {
    if (closed) return
    timer = setTimeout(() => void report().catch(onFailure).finally(schedule), interval)
  }

  live.on('list', onList)
  live.on('user', onUser)
  live.on('resync', sendResync)
  schedule()
  stream.onClose(() => {
    closed = true
    clearTimeout(timer)
    live.off('list', onList)
    live.off('user', onUser)
    live.off('resync', sendResync)
  })
}
