import type { NetworkTimeout } from '@souk/pages'
import { reportRequest } from '../reportEvent.ts'
import { defaultTimeout } from './timeouts.ts'
import type {
  DownloadOptions,
  Header,
  Progress,
  Reporter,
  RequestOptions,
  RequestResult,
  UploadOptions,
} from './transfer.ts'

/** A running request. */
export interface Task {
  /** Aborts the request, which fails with `abort`. */
  abort(): void
  onHeadersReceived(listener: (event: { header: Header; statusCode: number }) => void): void
  offHeadersReceived(listener?: (event: { header: Header; statusCode: number }) => void): void
  onProgressUpdate(listener: (event: Progress) => void): void
  offProgressUpdate(listener?: (event: Progress) => void): void
}

/** Sends a request. Any HTTP status is a success; failures are `timeout`, `abort` and network errors. */
export function request(options: RequestOptions): Promise<RequestResult> & Task {
  return task('request', options, async (report) => (await import('./transfer.ts')).sendRequest(options, report))
}

export function uploadFile(options: UploadOptions): Promise<{ data: string; statusCode: number }> & Task {
  const run = async (report: Reporter) => (await import('./transfer.ts')).upload(options, report)
  return task('uploadFile', { ...options, method: 'POST' }, run)
}

export function downloadFile(options: DownloadOptions): Promise<{ tempFilePath: string; statusCode: number }> & Task {
  return task('downloadFile', options, async (report) => (await import('./transfer.ts')).download(options, report))
}

function task<R extends { statusCode: number }>(
  name: keyof NetworkTimeout,
  { url, method, timeout = defaultTimeout(name) }: Pick<RequestOptions, 'url' | 'method' | 'timeout'>,
  run: (report: Reporter) => Promise<R>,
): Promise<R> & Task {
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
  }) as Promise<R> & Task
}

function listeners<L>(name: string, set: Set<L>): Record<string, (listener: L) => void> {
  return {
    [`on${name}`]: (listener) => set.add(listener),
    [`off${name}`]: (listener?: L) => (listener ? set.delete(listener) : set.clear()),
  }
}
