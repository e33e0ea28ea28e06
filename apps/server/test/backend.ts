import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A backend that receives callbacks or events. */
export interface TestBackend {
  url: string
  received: ReceivedRequest[]
  /** Statuses that it answers, by path; 204 by default. */
  answers: Map<string, number>
  stop(): void
}

export async function startBackend(): Promise<TestBackend> {
  const received: ReceivedRequest[] = []
  const answers = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ path: request.url!, headers: request.headers, body })
    response.writeHead(answers.get(request.url!) ?? 204).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, received, answers, stop: () => void server.close() }
}
