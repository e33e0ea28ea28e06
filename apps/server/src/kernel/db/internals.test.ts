import postgres from 'postgres'
import { expect, test } from 'vitest'
import { executeWith, openInstance, type ParsedOptions, poolOptions, type Statement } from './internals.ts'

const url = 'postgres://user:password@database.test:5433/souk'
// Connects when the first statement is executed, which no test does.
const sql = postgres(url, poolOptions)
const parsed = sql.options as unknown as ParsedOptions
const newStatement = () => sql`select 1` as unknown as Statement

test('a statement has handler, canceller and reject', () => {
  expect(newStatement()).toMatchObject({
    handler: expect.any(Function),
    canceller: expect.any(Function),
    reject: expect.any(Function),
  })
})

test('a statement passes itself to its handler once, when it is first awaited', async () => {
  const executed: Statement[] = []
  const statement = executeWith(newStatement(), (each) => {
    executed.push(each)
    each.reject('rejected by the handler')
  })
  await new Promise(setImmediate)
  expect(executed).toEqual([])
  await expect(statement).rejects.toBe('rejected by the handler')
  await expect(statement).rejects.toBe('rejected by the handler')
  expect(executed).toHaveLength(1)
  expect(executed[0] === statement).toBe(true)
})

test('a statement without canceller cannot be canceled', () => {
  const statement = executeWith(newStatement(), () => {}) as unknown as { cancel(): unknown }
  expect(statement.cancel()).toBe(null)
})

test('parsed options hold host, port, path, ssl, sslnegotiation, parsers and serializers, and are not parsed again', () => {
  expect(parsed).toMatchObject({
    host: ['database.test'],
    port: [5433],
    path: false,
    ssl: false,
    sslnegotiation: null,
    max_pipeline: 1,
    parsers: expect.any(Object),
    serializers: expect.any(Object),
  })
  expect(postgres(parsed as object).options).toBe(parsed)
})

test('an instance starts its session over the socket, and reads from it', async () => {
  const written: Buffer[] = []
  const listeners: Record<string, (bytes: Buffer) => void> = {}
  const socket = {
    readyState: 'closed',
    on: (event: string, listener: (bytes: Buffer) => void) => (listeners[event] = listener),
    write: (bytes: Buffer) => written.push(Buffer.from(bytes)) > 0,
    pause: () => {},
    resume: () => {},
    destroy: () => {},
  } as const
  const { sql: instance, execute } = openInstance(parsed, { host: 'database.test', port: 5433 }, socket, undefined)
  const statement = executeWith(instance`select 1`, execute)
  const result = statement.then(
    () => 'resolved',
    (error: Error) => error.message,
  )

  await expect.poll(() => written.length).toBe(1)
  // StartupMessage: length, protocol version 3.0.
  expect(written[0]!.readInt32BE(4)).toBe(196_608)
  expect(written[0]!.toString()).toContain('user\0user\0')
  listeners.data!(errorResponse('refused'))
  expect(await result).toBe('refused')
})

/** Returns PostgreSQL's message ErrorResponse. */
function errorResponse(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C28000\0M${message}\0\0`)
  const header = Buffer.alloc(5)
  header.write('E')
  header.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([header, fields])
}
