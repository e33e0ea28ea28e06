import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { onTestFinished } from 'vitest'

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves a release below a path until the test ends, and returns its URL. */
export async function hostRelease(folder: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname.replace('/some/where/', '') || 'index.html'
    const text = await readFile(join(folder, path)).catch(() => undefined)
    if (text === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'application/octet-stream' }).end(text)
  })
  await new Promise<void>((done) => server.listen(0, done))
  onTestFinished(() => void server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}/some/where/`
}
