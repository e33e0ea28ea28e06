import { writeFileSync } from 'node:fs'
import { defaultMaxBody, type Operation, operations } from '@souk/contract'
import fc from 'fast-check'
import { type Usage, usageOf } from '../cpuTime.ts'
import { callerNames } from '../server/callers.ts'
import { send } from '../server/request.ts'
import type { World } from '../server/world.ts'
import { serverTarget, type Target, Violation } from '../target.ts'

/** A body that repeats a text, so that it is short as an input and long as a request. */
interface RepeatedBody {
  operation: string
  caller: string
  /** The value of the first parameter starts with `start`. `#` in `part` stands for the number of the repetition. */
  start: string
  part: string
  end: string
}

const surfaces = ['console', 'platform', 'host'] as const
/** Requests of an input, which are sent at the same time. */
const atOnce = 8
const maxSize = 512 * 1024

/**
 * Limits of what all bodies of an input may cost, in ms and bytes. The first terms are for the requests themselves. A
 * list of empty objects takes 22 bytes of heap for each byte if it is parsed.
 */
const cpuFor = (bytes: number) => 800 + bytes / 2_000
const memoryFor = (bytes: number) => 96 * 1024 * 1024 + 12 * bytes

const allowed = operations.filter(
  ({ method, surface, body }) =>
    method !== 'GET' && surfaces.some((each) => each === surface) && (body?.includes('json') ?? true),
)

const token = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    '{}',
    '[]',
    ',',
    ':',
    '0',
    '"#"',
    '"k#":',
    '"',
    '\\\\',
    '\\u00e9',
    '1e9',
    '#',
    'null',
    ' ',
    '{"k#":0}',
  ],
)
const value = fc.constantFrom(
  '{}',
  '[]',
  '0',
  '""',
  '"#"',
  '{"k#":0}',
  '{"a":{"b":{}}}',
  '[[[[]]]]',
  '1.5e-7',
  '"\\u00e9"',
)
const repeated = fc.oneof(
  // Valid JSON, which is parsed.
  value.map((each) => ({ start: `[${each.replaceAll('#', '')}`, part: `,${each}`, end: ']' })),
  value.map((each) => ({ start: '{"a":0', part: `,"k#":${each}`, end: '}' })),
  fc.record({
    start: fc.constantFrom('[', '{', '"', ''),
    part: fc.array(token, { minLength: 1, maxLength: 6 }).map((tokens) => tokens.join('')),
    end: fc.constantFrom(']', '}', '"', ''),
  }),
)

const input: fc.Arbitrary<RepeatedBody> = fc
  .constantFrom(...allowed)
  .chain(({ id, surface }) =>
    fc.record({
      operation: fc.constant(id),
      caller: fc.constantFrom<string>(...callerNames[surface as (typeof surfaces)[number]]),
      repeated,
    }),
  )
  .map(({ repeated, ...rest }) => ({ ...rest, ...repeated }))

/** Bodies that cost much CPU time or memory for each byte that is sent. */
export const bodies: Target = serverTarget({
  name: 'console/bodies',
  surface: 'console',
  weight: 0.5,
  inputs: input,
  sizeOf: () => atOnce,
  check,
})

async function check(input: RepeatedBody, world: World): Promise<void> {
  const operation: Operation = allowed.find(({ id }) => id === input.operation)!
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(world.fill(`own.${name}`) || 'f'.repeat(32)),
  )
  const { headers } = world.callers[operation.surface as (typeof surfaces)[number]][input.caller]!
  const body = bodyOf(operation, input)
  const request = {
    method: operation.method,
    target: path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  }
  const before = usageAfterReset(world.pid)
  await Promise.all(Array.from({ length: atOnce }, () => send(world.url, world.agent, request).catch(() => {})))
  if (!world.isRunning()) throw new Violation('crash', `The server ended:\n${world.readLog().slice(-5000)}`)
  const after = usageOf(world.pid)
  if (!before || !after) return
  const bytes = body.length * atOnce
  const cpu = after.cpu - before.cpu
  if (cpu > cpuFor(bytes)) {
    throw new Violation(`${operation.id}: cpu`, `${bytes} bytes to ${operation.id} take ${cpu} ms of CPU time`)
  }
  const memory = after.peak - before.memory
  if (memory > memoryFor(bytes)) {
    const MB = Math.round(memory / 1024 / 1024)
    throw new Violation(`${operation.id}: memory`, `${bytes} bytes to ${operation.id} take ${MB} MB of memory`)
  }
}

function bodyOf(operation: Operation, { start, part, end }: RepeatedBody): Buffer {
  const size = Math.min(operation.maxBody ?? defaultMaxBody, maxSize)
  const name = Object.keys(operation.parameters.properties).find((each) => !operation.path.includes(`{${each}}`)) ?? 'a'
  const head = `{"${name}":${start}`
  const parts = [head]
  for (let index = 0, length = head.length + end.length + 1; ; index++) {
    const next = part.replaceAll('#', String(index))
    length += next.length
    if (length > size) break
    parts.push(next)
  }
  return Buffer.from(`${parts.join('')}${end}}`)
}

/** Returns the usage of a process, whose peak of memory starts again. */
function usageAfterReset(pid: number): Usage | undefined {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    return undefined
  }
  return usageOf(pid)
}
