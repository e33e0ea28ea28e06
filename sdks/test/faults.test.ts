import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minute, openOperations, platformOperations } from '@souk/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorNames } from '../faults/page.ts'
import { type FaultServer, type Seen, startFaultServer } from '../faults/server.ts'
import { type Call, calls, endingOf, type Fault, faults, id, type LanguageName, long } from '../faults/table.ts'
import { type Answer, type Driver, startDriver } from './driver.ts'
import { languages, typescript } from './languages.ts'

const clients = [typescript, ...languages].map((language) => ({ ...language, name: language.name as LanguageName }))

/** How a call ended. */
interface Observation {
  readonly answers: readonly Answer[]
  readonly seen: Seen
}

/** The client of a language, which meets all faults in one process. */
interface Run {
  readonly server: FaultServer
  readonly driver: Driver
  readonly observations: Promise<ReadonlyMap<string, Observation>>
}

const runs = new Map<LanguageName, Run>()
let folder: string

/** Meets all faults with all clients at the same time: they mostly wait. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'souk-faults-'))
  const commands = clients.filter(({ isInstalled }) => isInstalled).map((it) => ({ ...it, command: it.driver(folder) }))
  for (const { name, command } of commands) {
    // PHP makes one call after the other.
    const server = await startFaultServer((times) => (name === 'PHP' ? 1 : times))
    const driver = startDriver(command, {
      SOUK_URL: 'http://127.0.0.1:9',
      SOUK_APPID: 'aaaaaaaaaaaaaaa',
      SOUK_SECRET: '0'.repeat(48),
      SOUK_API_KEY: 'key',
    })
    const observations = meetAll(server, driver)
    observations.catch(() => {}) // Reported by the tests of the language.
    runs.set(name, { server, driver, observations })
  }
}, 10 * minute)

afterAll(async () => {
  for (const { server, driver } of runs.values()) {
    await driver.close()
    await server.close()
  }
  await rm(folder, { recursive: true, force: true })
})

async function meetAll(server: FaultServer, driver: Driver): Promise<ReadonlyMap<string, Observation>> {
  const observations = new Map<string, Observation>()
  for (const fault of faults) {
    for (const call of calls.filter((one) => fault.endings[one])) {
      const { timeout = long, times = 1 } = fault
      const given = { url: server.urlFor(fault, call), timeout, times, call, id }
      const { result, error } = await driver.call('atOnce', given)
      if (error) throw new Error(`${fault.name}: ${error.message}`)
      observations.set(keyOf(fault, call), { answers: result, seen: server.seenOf(fault, call) })
    }
  }
  return observations
}

const keyOf = (fault: Fault, call: Call) => `${fault.id}-${call}`

const cases = faults.flatMap((fault) =>
  calls.filter((call) => fault.endings[call]).map((call) => ({ name: fault.name, call, fault })),
)

describe.each(clients)('the $name client', (language) => {
  describe.skipIf(!language.isInstalled)(
    language.isInstalled ? 'under faults' : `skipped: needs apt-get install ${language.packages}`,
    () => {
      test.each(cases)(
        '$name: $call',
        async ({ fault, call }) => {
          const observations = await runs.get(language.name)!.observations
          const { answers, seen } = observations.get(keyOf(fault, call))!
          const { end, fields = {}, message, requests } = endingOf(fault, call, language.name)!
          expect(answers).toHaveLength(fault.times ?? 1)
          for (const { result, error } of answers) {
            if (end === 'result') {
              expect(error).toBeUndefined()
              if (call === 'deleteDataset') expect(result).toBe(true)
              else expect(result).toMatchObject({ tradeNo: id, ...fields })
            } else {
              // Go has no null for texts.
              expect({ ...error, code: error?.code || null, result }).toMatchObject({
                kind: end,
                ...fields,
                result: undefined,
              })
              expect(error!.type).toBe(errorNames[language.name][end])
              if (message) expect(error!.message).toMatch(message)
            }
          }
          // The server may see the last request after its client has given up, on a slow machine.
          await expect.poll(() => seen.requests).toBeGreaterThanOrEqual(requests)
          expect(seen.requests).toBe(requests)
          // A timer may be early by a part of a millisecond.
          if (requests === fault.endings[call]!.requests) {
            for (const [index, shortest] of (fault.pauses ?? []).entries()) {
              if (index < seen.pauses.length) expect(seen.pauses[index]).toBeGreaterThan(shortest - 5)
            }
          }
          // Each attempt is signed again. An HTTP library repeats a request as it is.
          if (call === 'tradedetail') expect(seen.signs.size).toBe(fault.endings.tradedetail!.requests)
          await expect.poll(() => seen.held, { message: 'closes the connection' }).toBe(0)
        },
        10 * minute,
      )

      test.each(cases.filter(({ fault, call }) => fault.attempts?.[call]))(
        'reports the attempts: $name: $call',
        async ({ fault, call }) => {
          const observations = await runs.get(language.name)!.observations
          const { answers, seen } = observations.get(keyOf(fault, call))!
          const attempts = answers[0]!.attempts!
          // Go has no null for texts and numbers.
          expect(attempts.map(({ error, status }) => [error || null, status || null])).toEqual(fault.attempts![call])
          for (const [index, { operation, method, server, path, number, ...attempt }] of attempts.entries()) {
            const { method: itsMethod, path: itsPath } = { ...openOperations, ...platformOperations }[call]
            expect({ operation, method, path, number }).toEqual({
              operation: call,
              method: itsMethod,
              path: itsPath,
              number: index + 1,
            })
            expect(server).toBe(runs.get(language.name)!.server.urlFor(fault, call))
            expect(attempt.retryReason || null).toBe(attempts[index - 1]?.error || null)
            expect(attempt.durationMs).toBeGreaterThanOrEqual(0)
            expect(attempt.requestId || null).toBe(attempt.status ? `${keyOf(fault, call)}-${index + 1}` : null)
          }
          for (const { traceparent, accept } of seen.headers) {
            expect(traceparent).toMatch(/^00-[123]$/)
            expect(accept).toMatch(/^application\/json/)
          }
        },
        10 * minute,
      )

      test(
        'sends nothing to other addresses',
        async () => {
          const { server, observations } = runs.get(language.name)!
          await observations
          expect(server.strays).toEqual([])
        },
        10 * minute,
      )
    },
  )
})
