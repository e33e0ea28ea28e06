import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Plugin } from 'vite'
import type { MiniApp } from '../miniApp.ts'
import type { Replay, ReplayedRequest } from '../replay.ts'

const path = '/__souk/replay/'

/** Answers the calls and requests of a mini app in its frame from a recording. */
export function replay({ options }: MiniApp): Plugin {
  return {
    name: 'souk:replay',
    apply: 'serve',
    configureServer({ middlewares }) {
      const { replay: given } = options
      if (!given) return
      middlewares.use((request, response, next) => {
        if (request.method !== 'POST' || !request.url?.startsWith(path)) return next()
        answer(given, request.url.slice(path.length), request, response).catch(next)
      })
    },
    transformIndexHtml: {
      order: 'pre',
      // The first script, so that no other one sends a request before it.
      handler: (_, { path: page }) =>
        options.replay && page === '/index.html'
          ? [{ tag: 'script', attrs: { type: 'module', src: '/@souk/replay.js' }, injectTo: 'head-prepend' as const }]
          : undefined,
    },
  }
}

async function answer(given: Replay, name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const received: unknown = JSON.parse((await text(request)) || '{}')
  const json = (result: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  if (name === 'start') json({ start: given.start, device: given.device, isWatched: given.report !== undefined })
  else if (name === 'launch') json(given.launch())
  else if (name === 'call') {
    const { method, params } = received as { method: string; params: unknown }
    json(await given.call(method, params))
  } else if (name === 'report') {
    given.report?.((received as { entries: unknown[] }).entries)
    json({})
  } else if (name === 'request') sendResponse(response, await given.request(received as ReplayedRequest))
  else response.writeHead(404).end()
}

function sendResponse(response: ServerResponse, found: Awaited<ReturnType<Replay['request']>>): void {
  // The frame has an opaque origin.
  response.setHeader('access-control-expose-headers', '*')
  if ('missing' in found || found.status === 0) {
    const reason = 'missing' in found ? found.missing : (found.error ?? '')
    response.writeHead(501, { 'content-type': 'text/plain; charset=utf-8', 'souk-replay': 'none' }).end(reason)
    return
  }
  for (const [name, value] of found.headers) {
    // Those of the recorded backend are for another origin.
    if (!/^access-control-/i.test(name)) response.appendHeader(name, value)
  }
  response.writeHead(found.status).end([204, 205, 304].includes(found.status) ? undefined : found.body)
}
