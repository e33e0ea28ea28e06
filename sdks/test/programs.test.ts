import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openOperations, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleParameters, exampleResponse } from '../../packages/contract/src/examples.ts'
import type { Operation } from '../../packages/contract/src/operation.ts'
import { describe as describeOperations } from '../generator/model.ts'
import { type ProgramLanguage, programsFor } from '../generator/programs.ts'
import { type Driver, startDriver } from './driver.ts'
import { type Command, languages, type Programs, typescript } from './languages.ts'

const run = promisify(execFile)
const operations: readonly Operation[] = [...Object.values(openOperations), ...Object.values(platformOperations)]
const clients = describeOperations()
const programFor = (operation: Operation, language: string) =>
  programsFor(clients, operation.id, exampleParameters(operation))[language as ProgramLanguage]

let server: Server
let received: { id: string; url: string; body: string }[] = []

/** Answers each operation with its example in the documentation. */
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const path = request.url!.split('?')[0]!
      const called = operations.find((one) => one.method === request.method && matches(one.path, path))
      received.push({ id: called?.id ?? `${request.method} ${path}`, url: request.url!, body: text })
      const body = called?.media ? { title: 'Two coffees' } : called && exampleResponse(called)
      response.writeHead(called ? 200 : 404, { 'Content-Type': called?.media?.[0] ?? 'application/json' })
      response.end(`${JSON.stringify(body)}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const matches = (template: string, path: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** Returns the settings that programs read from the environment. */
const settings = () => ({
  SOUK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  SOUK_APPID: 'demoapp00000001',
  SOUK_SECRET: 'x'.repeat(48),
  SOUK_API_KEY: 'souk_test_0123456789',
})

/** Expects that the received request has the values of the example, also where the program has constants for them. */
function expectValues(operation: Operation): void {
  const [{ url, body } = { url: '', body: '' }] = received
  const query = url.split('?')[1] ?? ''
  for (const [name, value] of Object.entries(exampleParameters(operation))) {
    if (operation.path.includes(`{${name}}`) || operation.file || ['appid', 'timestamp', 'sign'].includes(name))
      continue
    if (operation.body?.includes('json')) expect(JSON.parse(body)).toMatchObject({ [name]: value })
    else expect(new URLSearchParams(query || body).get(name), name).toBe(String(value))
  }
}

/** Runs a program, and returns what it prints. @throws Error with what it prints if it fails */
async function start({ command, args, cwd, env }: Command): Promise<string> {
  const { stdout } = await run(command, args, { cwd, env: { ...process.env, ...env, ...settings() } })
  return stdout
}

describe.each([typescript, ...languages])('the programs in $name', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'call' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let folder: string
      let programs: Programs
      let driver: Driver | undefined

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'souk-programs-'))
        await writeFile(join(folder, 'icon.png'), 'picture')
        const sources = operations.map((operation) => [operation.id, programFor(operation, language.name)] as const)
        programs = language.programs(folder, Object.fromEntries(sources))
        if ('driver' in programs) driver = startDriver(programs.driver, settings())
      })
      afterAll(async () => {
        await driver?.close()
        await rm(folder, { recursive: true })
      })

      /** Runs the program of an operation, and returns what it prints. */
      async function printed(id: string): Promise<string> {
        if ('each' in programs) return start(programs.each(id))
        const { result, error } = await driver!.call(id, {})
        expect(error).toBeUndefined()
        return result
      }

      test.each(operations.map(({ id }) => id))('%s', async (id) => {
        received = []
        expect(await printed(id)).not.toBe('')
        expect(received.map((request) => request.id)).toEqual([id])
        expectValues(operations.find((operation) => operation.id === id)!)
      })
    },
  )
})
