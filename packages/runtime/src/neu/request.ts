import type { NetworkTimeout } from '@souk/pages'
import { reportRequest } from '../carriers/reportEvent.ts'
import type { Header, Progress, RequestTask } from './table/network.ts'
import type { Options, Result } from './table/types.ts'
import { defaultTimeout } from './timeouts.ts'
import type { Reporter } from './transfer.ts'

export function request(options: Options<'request'>): Promise<Result<'request'>> & RequestTask {
  return task('request', options, async (report) => (await import('./transfer.ts')).sendRequest(options, report))
}

export function uploadFile(options: Options<'uploadFile'>): Promise<Result<'uploadFile'>> & RequestTask {
  const run = async (report: Reporter) => (await import('./transfer.ts')).upload(options, report)
  const { url, timeout } = options
  return task('uploadFile', { url, timeout, method: 'POST' }, run)
}

export function downloadFile(options: Options<'downloadFile'>): Promise<Result<'downloadFile'>> & RequestTask {
  return task('downloadFile', options, async (report) => (await import('./transfer.ts')).download(options, report))
}

function task<R extends { statusCode: number }>(
  name: keyof NetworkTimeout,
  { url, method, timeout = defaultTimeout(name) }: Pick<Options<'request'>, 'url' | 'method' | 'timeout'>,
  run: (report: Reporter) => Promise<R>,
): Promise<R> & RequestTask {
  const controller = new AbortController()
  const headers = new Set<(event: { header: Header; statusCode: number }) => void>()
  const progress = new Set<(event: Progress) => void>()
  const stop = (reason: string) => controller.abort(new Error(reason))
  const timer = setTimeout(stop, timeout, 'timeout')
  const stopped = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
  })
  const running = run({
    signal: controller.signal,
    headers: (header, statusCode) => {
      for (const listener of headers) listener({ header, statusCode })
    },
    progress: (event) => {
      for (const listener of progress) listener(event)
    },
  })
  const outcome: Promise<R> = Promise.race([running, stopped]).finally(() => clearTimeout(timer))
  outcome.then(
    ({ statusCode }) => statusCode >= 400 && reportRequest(method || 'GET', url, statusCode),
    (error: unknown) => (error as Error).message !== 'abort' && reportRequest(method || 'GET', url, 0),
  )
  return Object.assign(outcome, {
    abort: () => stop('abort'),
    ...listeners('HeadersReceived', headers),
    ...listeners('ProgressUpdate', progress),
  }) as Promise<R> & RequestTask
}

function listeners<L>(name: string, set: Set<L>): Record<string, (listener: L) => void> {
  return {
    [`on${name}`]: (listener) => set.add(listener),
    [`off${name}`]: (listener?: L) => (listener ? set.delete(listener) : set.clear()),
  }
}
