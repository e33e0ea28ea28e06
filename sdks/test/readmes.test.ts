import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { minute, openOperations } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exampleResponse } from '../../packages/contract/src/examples.ts'
import { type Language, languages } from './languages.ts'

const run = promisify(execFile)
const tradeNo = '0123456789abcdef0123456789abcdef'

const exampleAmount = (exampleResponse(openOperations.tradedetail) as { response: { amount: number } }).response.amount

let server: Server
let folder: string
let traces: unknown[] = []

/** Refuses each first request, and answers the second one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-readmes-'))
  server = createServer((request, response) => {
    traces.push(request.headers.traceparent)
    const isFirst = traces.length === 1
    const refusal = { responseHeader: { status: 500, code: 'internal', msg: 'Failed.' }, response: null }
    response.writeHead(isFirst ? 500 : 200, { 'X-Request-Id': 'r-1', 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isFirst ? refusal : exampleResponse(openOperations.tradedetail)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  traces = []
})

/** Runs the program of a README that contains a text, and returns what it prints. */
async function runBlock(language: Language, text: string, parameters: readonly string[]): Promise<string> {
  const readme = await readFile(join(import.meta.dirname, '..', language.folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```(?:python|go|java|php)\n(.*?)^```$/gms)].map(([, program = '']) => program)
  const program = blocks.find((block) => block.includes(text))!
  const { command, args, cwd, env } = language.walkthrough(await mkdtemp(join(folder, 'program-')), program)
  const settings = {
    SOUK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SOUK_APPID: 'demoapp00000001',
    SOUK_SECRET: 'x'.repeat(48),
  }
  const { stdout } = await run(command, [...args, ...parameters], { cwd, env: { ...process.env, ...env, ...settings } })
  return stdout
}

const python = languages.find(({ name }) => name === 'Python')!

test.skipIf(!python.isInstalled)('the README for Python makes calls with asyncio', async () => {
  traces = [undefined] // No first request, which is refused.
  expect(Number(await runBlock(python, 'AsyncSouk', [tradeNo, tradeNo]))).toBe(2 * exampleAmount)
  expect(traces).toHaveLength(3)
})

describe.each(languages)('the README for $name', (language) => {
  test.skipIf(!language.isInstalled)(
    language.isInstalled ? 'logs the attempts of a call' : `skipped: needs apt-get install ${language.packages}`,
    async () => {
      const stdout = await runBlock(language, 'traceparent', [tradeNo])
      expect(stdout.split('\n')).toEqual([
        expect.stringMatching(/^tradedetail #1 (None|null)? ?: 500 internal in \d+ ms, request r-1$/),
        expect.stringMatching(/^tradedetail #2 internal: 200 (None|null)? ?in \d+ ms, request r-1$/),
        '',
      ])
      expect(traces).toEqual(Array(2).fill('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'))
    },
    minute,
  )
})
