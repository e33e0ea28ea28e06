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
import { type Command, languages } from './languages.ts'

const run = promisify(execFile)
const operations: readonly Operation[] = [...Object.values(openOperations), ...Object.values(platformOperations)]
const clients = describeOperations()
const programFor = (operation: Operation, language: string) =>
  programsFor(clients, operation.id, exampleParameters(operation))[language as ProgramLanguage]

/** Files that the programs are written to, see `walkthrough`. */
const files: Readonly<Record<string, string>> = { Python: 'shop.py', Go: 'main.go', Java: 'Shop.java', PHP: 'shop.php' }

let server: Server
let folder: string
let received: string[] = []

/** Answers each operation with its example in the documentation. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-programs-'))
  await writeFile(join(folder, 'icon.png'), 'picture')
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const path = request.url!.split('?')[0]!
      const called = operations.find((one) => one.method === request.method && matches(one.path, path))
      received.push(called?.id ?? `${request.method} ${path}`)
      const body = called?.media ? { title: 'Two coffees' } : called && exampleResponse(called)
      response.writeHead(called ? 200 : 404, { 'Content-Type': called?.media?.[0] ?? 'application/json' })
      response.end(`${JSON.stringify(body)}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const matches = (template: string, path: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** Runs a program. @throws Error with what it prints if it fails */
async function start({ command, args, cwd, env }: Command): Promise<string> {
  const settings = {
    SOUK_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SOUK_APPID: 'demoapp00000001',
    SOUK_SECRET: 'x'.repeat(48),
    SOUK_API_KEY: 'souk_test_0123456789',
  }
  received = []
  const { stdout } = await run(command, args, { cwd, env: { ...process.env, ...env, ...settings } })
  return stdout
}

describe.each(languages)('the programs in $name', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'call' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      let command: Command
      beforeAll(() => {
        language.driver(folder)
        command = language.walkthrough(folder, '')
      })

      test.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
        await writeFile(join(folder, files[language.name]!), programFor(operation, language.name))
        expect(await start(command)).not.toBe('')
        expect(received).toEqual([id])
      })
    },
  )
})

describe('the programs in TypeScript call', () => {
  const flags = ['--conditions=souk-source', '--disable-warning=ExperimentalWarning', '--input-type=module-typescript']

  test.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (id, operation) => {
    // From here, where the package of the client is installed.
    const program = programFor(operation, 'TypeScript').replaceAll("'icon.png')", `'${join(folder, 'icon.png')}')`)
    const command = { command: process.execPath, args: [...flags, '-e', program], cwd: import.meta.dirname }
    expect(await start(command)).not.toBe('')
    expect(received).toEqual([id])
  })
})
