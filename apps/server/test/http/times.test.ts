import { consoleOperations, day, type Operation } from '@souk/contract'
import { expect, onTestFinished, test } from 'vitest'
import { archiveOf, build } from '../archive.ts'
import { exampleInput, placeInput, unknownIds } from '../exampleInput.ts'
import { furnish } from '../furnishedProject.ts'
import { startTestSouk } from '../souk.ts'

interface Schema {
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  'x-clock'?: 'real' | 'domain'
}

/** Yields the times in a result with their names and declared clocks. */
function* timesIn(
  schema: Schema,
  value: unknown,
  name: string,
): Generator<[name: string, clock: string, time: number]> {
  if (schema['x-clock'] && typeof value === 'number') yield [name, schema['x-clock'], value]
  for (const each of schema.anyOf ?? []) yield* timesIn(each, value, name)
  if (Array.isArray(value)) for (const each of value) yield* timesIn(schema.items ?? {}, each, name)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(schema.properties ?? {})) {
      yield* timesIn(each, (value as Record<string, unknown>)[key], `${name}.${key}`)
    }
  }
}

/** Operations that create what others list. */
const furnishing = ['addEventEndpoint', 'addDataset', 'createAlertRule', 'submitRelease', 'publishRelease'] as const

test('times are of the clock that the contract declares', async () => {
  const souk = await startTestSouk()
  onTestFinished(() => souk.stop())
  await souk.setUp()
  const { body } = await souk.console('POST', '/console/v1/sandbox/clock', { forward: 360 * day })
  expect(body.moves).toHaveLength(1)
  const { projectId } = (await souk.console('POST', '/console/v1/projects', { name: 'Tea' })).body
  const own = await furnish(souk, projectId)
  const form = new FormData()
  form.append('version', '1.0.0')
  form.append('fileData', new Blob([new Uint8Array(await archiveOf(build()))]), 'release.tar.gz')
  const headers = { Authorization: `Bearer ${souk.adminToken}` }
  const upload = { method: 'POST', body: form, headers }
  const answer = await fetch(`${souk.url}/console/v1/apps/${own.appid}/releases`, upload)
  const { releaseId } = (await answer.json()) as { releaseId: string }
  const ids = { ...own, ...unknownIds, releaseId, uids: [own.uid], datasetId: `${projectId}.trades` }
  for (const id of furnishing) {
    const { target, body } = placeInput(consoleOperations[id], exampleInput(consoleOperations[id], ids))
    expect([id, (await souk.console('POST', target, body)).status]).toEqual([id, 200])
  }

  const found = new Map<string, string>()
  const wrong: string[] = []
  for (const operation of Object.values(consoleOperations) as Operation[]) {
    if (operation.method !== 'GET' || operation.stream || operation.media) continue
    const { target } = placeInput(operation, exampleInput(operation, ids))
    const answer = await souk.console('GET', target)
    if (answer.status !== 200) continue
    for (const [name, clock, time] of timesIn(operation.result as Schema, answer.body, operation.id)) {
      // The furnished project has rows of the year 1970.
      if (time < day) continue
      found.set(name, clock)
      if (clock !== (time > Date.now() + 180 * day ? 'domain' : 'real')) wrong.push(name)
    }
  }
  expect(wrong).toEqual([])
  expect(found.size).toBeGreaterThan(40)
})
