import { may, type Operation, platformOperations, roles } from '@souk/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleInput, placeInput } from '../exampleInput.ts'
import { type KeyHolder, keyHolderOf, newKeyHolder } from '../keyHolder.ts'
import { startTestSouk, type TestSouk } from '../souk.ts'
import { foreignCode, missingCode } from './refusals.ts'

type Input = Record<string, unknown>

/** A project with a custom and a built-in dataset. */
interface Things {
  projectId: string
  own: string
  builtIn: string
}

let souk: TestSouk
let mine: Things
let theirs: Things
const nothing: Things = { projectId: 'f'.repeat(32), own: 'f'.repeat(32), builtIn: `${'f'.repeat(32)}.trades` }

const callers = [...roles, 'nonMember', 'administrator'] as const
type CallerName = (typeof callers)[number]
let holders: Record<CallerName, KeyHolder>
let tokens: Record<CallerName, string>

const fields = [{ name: 'title', type: 'string' }]
let names = 0

/** Returns the inputs to call an operation with; one that takes a dataset is called with both. */
function inputsOf(operation: Operation, { projectId, own, builtIn }: Things): Input[] {
  const takesDataset = Object.hasOwn(operation.parameters.properties, 'datasetId')
  return (takesDataset ? [own, builtIn] : [own]).map((datasetId) => {
    const input = exampleInput(operation, { projectId, datasetId })
    return operation.id === 'createDataset' ? { ...input, name: `new${++names}` } : input
  })
}

beforeAll(async () => {
  souk = await startTestSouk()
  const administrator = await keyHolderOf(souk, await souk.setUp())
  const [here, there, elsewhere] = await Promise.all(
    ['Mine', 'Theirs', 'Elsewhere'].map(
      async (name) => (await souk.console('POST', '/console/v1/projects', { name })).body.projectId as string,
    ),
  )
  holders = {
    owner: await newKeyHolder(souk, here!, 'owner'),
    editor: await newKeyHolder(souk, here!, 'editor'),
    viewer: await newKeyHolder(souk, here!, 'viewer'),
    nonMember: await newKeyHolder(souk, elsewhere!, 'owner'),
    administrator,
  }
  tokens = Object.fromEntries(
    await Promise.all(
      callers.map(async (name) => [name, (await holders[name].call('POST', '/console/v1/tokens', {})).body.token]),
    ),
  )
  mine = await furnish(here!)
  theirs = await furnish(there!)
})
afterAll(() => souk.stop())

async function furnish(projectId: string): Promise<Things> {
  return { projectId, own: await newDataset(projectId), builtIn: `${projectId}.trades` }
}

async function newDataset(projectId: string): Promise<string> {
  const input = { projectId, name: `set${++names}`, fields }
  return (await souk.json(souk.adminToken, 'POST', '/api/v1/datasets', input)).body.datasetId
}

/** Returns `allowed`, or the code of an authorization error. */
async function outcomeOf(headers: Record<string, string>, operation: Operation, input: Input): Promise<string> {
  const { target, body } = placeInput(operation, input)
  const answer = await fetch(souk.url + target, {
    method: operation.method,
    headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status >= 500) throw new Error(`${operation.id} answered ${answer.status}`)
  if (answer.ok) return 'allowed'
  const { code, detail } = JSON.parse(text)
  const about = ['permission_denied', 'api_key_invalid', 'token_invalid', 'project_not_found', 'dataset_not_found']
  if (code === missingCode(operation)) expect(detail).toMatch(/^(Project|Dataset) not found\.$/)
  return about.includes(code) ? code : 'allowed'
}

function expected(operation: Operation, caller: CallerName | 'adminToken', at: 'own' | 'foreign' | 'missing') {
  const { access } = operation
  if (access === 'signedIn') return 'allowed'
  if (typeof access !== 'object') throw new Error(`${operation.id} declares an access that this API does not have`)
  if (at === 'missing') return missingCode(operation)
  if (caller === 'administrator' || caller === 'adminToken') return 'allowed'
  if (caller === 'nonMember' || at === 'foreign') return foreignCode(operation)
  return may(caller, access.action) ? 'allowed' : 'permission_denied'
}

test.each(Object.values(platformOperations).map((operation): [string, Operation] => [operation.id, operation]))(
  '%s is allowed exactly as the table of rights says, with key and with token',
  async (id, operation) => {
    const found: Record<string, string> = {}
    const right: Record<string, string | undefined> = {}
    const places = { missing: nothing, foreign: theirs, own: mine }
    for (const at of typeof operation.access === 'object'
      ? (['missing', 'foreign', 'own'] as const)
      : (['own'] as const)) {
      for (const caller of [...callers, 'adminToken', 'anonymous'] as const) {
        const ways: Record<string, Record<string, string>> = caller === 'anonymous'
          ? { nothing: {} }
          : caller === 'adminToken'
            ? { token: { Authorization: `Bearer ${souk.adminToken}` } }
            : { key: { 'X-API-Key': holders[caller].key }, token: { Authorization: `Bearer ${tokens[caller]}` } }
        for (const [way, headers] of Object.entries(ways)) {
          // Restores what was deleted.
          if (id === 'deleteDataset' && at !== 'missing') {
            const { projectId } = places[at]
            places[at].own = await newDataset(projectId)
          }
          for (const [index, input] of inputsOf(operation, places[at]).entries()) {
            const key = `${caller} with ${way}, ${at}, ${index === 0 ? 'first' : 'built in'}`
            found[key] = await outcomeOf(headers, operation, input)
            right[key] = caller === 'anonymous' ? 'api_key_invalid' : expected(operation, caller, at)
          }
        }
      }
    }
    expect(found).toEqual(right)
  },
)

test('lists contain only what the caller may see, and no project of others can be listed', async () => {
  const projects = async (name: CallerName) =>
    (await holders[name].api('GET', '/projects')).body.items.map(({ projectId }: Things) => projectId)
  expect(await projects('viewer')).toEqual([mine.projectId])
  expect(await projects('nonMember')).not.toContain(mine.projectId)
  expect(await projects('administrator')).toEqual(expect.arrayContaining([mine.projectId, theirs.projectId]))

  const listed = async (name: CallerName, query = '') => (await holders[name].api('GET', `/datasets${query}`)).body
  const { items } = await listed('viewer')
  expect(new Set(items.map(({ projectId }: Things) => projectId))).toEqual(new Set([mine.projectId]))
  expect((await listed('viewer', `?projectId=${theirs.projectId}`)).code).toBe('permission_denied')
  expect((await listed('viewer', `?projectId=${nothing.projectId}`)).code).toBe('project_not_found')
  expect((await listed('viewer', `?projectId=${mine.projectId}`)).items.length).toBeGreaterThan(5)
})

test('role changes and removals take effect with the next request, for keys and tokens', async () => {
  const user = await newKeyHolder(souk, mine.projectId, 'editor')
  const { token } = (await user.call('POST', '/console/v1/tokens', {})).body
  const member = `/console/v1/projects/${mine.projectId}/members/${user.accountId}`
  const append = async () => {
    const own = await newDataset(mine.projectId)
    const path = `/api/v1/datasets/${own}/records`
    const both = [{ 'X-API-Key': user.key }, { Authorization: `Bearer ${token}` }] as Record<string, string>[]
    return Promise.all(
      both.map(async (headers) => {
        const { status, body } = await souk.raw('POST', path, headers, { records: [{ title: 'x' }] })
        return body.code ?? status
      }),
    )
  }
  expect(await append()).toEqual([200, 200])
  await souk.console('PATCH', member, { role: 'viewer' })
  expect(await append()).toEqual(['permission_denied', 'permission_denied'])
  await souk.console('DELETE', member)
  expect(await append()).toEqual(['permission_denied', 'permission_denied'])
})

test('an unknown built-in dataset does not exist, for members too', async () => {
  for (const name of ['secrets', 'accounts', 'constructor']) {
    const answer = await holders.owner.api('GET', `/datasets/${mine.projectId}.${name}`)
    expect([name, answer.body.code]).toEqual([name, 'dataset_not_found'])
  }
})
