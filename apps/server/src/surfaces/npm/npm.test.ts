import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { npmSurface } from './index.ts'
import type { readPackages } from './packages.ts'

type Packages = Awaited<ReturnType<typeof readPackages>>

const name = '@souk/cli'
const packed: Packages = new Map([
  [
    name,
    { file: '', shasum: '', integrity: '', readme: '', manifest: { name, version: '1.0.0' }, tarball: Buffer.of() },
  ],
])
/** Time in ms after which the server closes connections on which nothing is sent. */
const connectionTimeout = 100

let server: ReturnType<typeof Fastify>
let url: string
const logged: object[] = []

afterEach(async () => {
  logged.length = 0
  await server.close()
})

async function startRegistry(read: typeof readPackages, patience?: number): Promise<void> {
  server = Fastify({ connectionTimeout })
  const log = { error: (fields: object) => logged.push(fields) }
  const context = { settings: { publicUrl: 'http://localhost' }, log } as unknown as Parameters<typeof npmSurface>[0]
  await server.register(npmSurface(context, { read, ...(patience !== undefined && { patience }) }))
  url = `${await server.listen()}/npm/${name}`
}

test('requests wait for the packages, longer than other connections may be idle', async () => {
  const { promise, resolve } = Promise.withResolvers<Packages>()
  let reads = 0
  await startRegistry(() => {
    reads += 1
    return promise
  })
  const waiting = [fetch(url), fetch(url)]
  await new Promise((done) => setTimeout(done, 5 * connectionTimeout))
  resolve(packed)
  for (const response of await Promise.all(waiting)) {
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ name })])
  }
  expect(reads).toBe(1)
})

test('a failure is reported and logged once, and the next request packs again', async () => {
  let reads = 0
  await startRegistry(async () => {
    reads += 1
    if (reads === 1) throw new Error('no space left on device')
    return packed
  })
  const failed = await fetch(url)
  expect(failed.status).toBe(503)
  expect(await failed.json()).toMatchObject({ error: expect.stringContaining('could not be packed') })
  expect(logged).toEqual([{ error: 'Error: no space left on device' }])
  expect((await fetch(url)).status).toBe(200)
})

test('a client is told to come back before it gives up', async () => {
  await startRegistry(() => new Promise(() => {}), 10)
  const response = await fetch(url)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
  expect(logged).toEqual([])
})
