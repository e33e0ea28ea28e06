import { consoleOperations } from '@souk/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { archiveOf, build } from '../../../../test/archive.ts'
import { identityContext } from '../../../../test/context.ts'
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts'
import { soukError } from '../../../../test/soukError.ts'
import type { HostUserCaller } from '../../caller.ts'
import { createApp } from '../apps/index.ts'
import { approveRelease, getReview, submitRelease, uploadRelease } from '../releases/index.ts'
import {
  listFunctionsOfHost,
  listHostFunctionGrants,
  listHostFunctions,
  putHostFunction,
  removeHostFunction,
  revokeHostFunction,
} from './index.ts'

const admin = { kind: 'admin' } as const
const user: HostUserCaller = { kind: 'hostUser', uid: 1, session: '' }
const loyaltyCard = consoleOperations.putHostFunction.example
const storeLocator = { ...loyaltyCard, name: 'storeLocator', question: null }

let database: FreshDatabase
let context: ReturnType<typeof identityContext>
let appid: string

beforeAll(async () => {
  database = await freshDatabase()
  context = identityContext(database.sql)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await context.sql`delete from host_functions`
  for (const each of [loyaltyCard, storeLocator]) await putHostFunction(context, admin, each)
  appid = (await createApp(context, admin, { name: 'Tea House' })).appid
})

let version = 0
async function submit(hostFunctions: readonly string[]) {
  const files = build('Mini App')
  const manifest = { ...JSON.parse(String(files['souk-app.json'])), hostFunctions }
  const archive = await archiveOf({ ...files, 'souk-app.json': JSON.stringify(manifest) })
  const { releaseId } = await uploadRelease(context, admin, { appid, version: `${++version}`, archive })
  const { reviewId } = await submitRelease(context, admin, { appid, releaseId })
  return { releaseId, reviewId }
}
const functionsOf = async ({ releaseId }: { releaseId: string }) =>
  (await getReview(context, admin, { appid, releaseId })).hostFunctions
const granted = async () =>
  (await listFunctionsOfHost(context, user, { appid })).filter(({ isGranted }) => isGranted).map(({ name }) => name)

test('a declaration can be replaced, and is removed with its grants', async () => {
  const { ctime } = (await listHostFunctions(context))[0]!
  const release = await submit(['loyaltyCard'])
  await approveRelease(context, admin, { reviewId: release.reviewId, hostFunctions: ['loyaltyCard'] })
  const changed = { ...loyaltyCard, failures: [] }
  expect(await putHostFunction(context, admin, changed)).toEqual({ ...changed, ctime })
  expect(await listHostFunctions(context)).toMatchObject([changed, storeLocator])
  expect(await granted()).toEqual(['loyaltyCard'])
  await removeHostFunction(context, admin, { name: 'loyaltyCard' })
  await expect(removeHostFunction(context, admin, { name: 'loyaltyCard' })).rejects.toEqual(
    soukError('host_function_not_found'),
  )
  await putHostFunction(context, admin, loyaltyCard)
  expect(await granted()).toEqual([])
})

test('an invalid declaration is refused with the field', async () => {
  for (const change of [{ input: { type: 'string' } }, { examples: [{ input: {}, result: { number: '1' } }] }]) {
    const [parameter] = Object.keys(change)
    await expect(putHostFunction(context, admin, { ...loyaltyCard, ...change })).rejects.toMatchObject({
      code: 'parameter_invalid',
      data: { parameters: [parameter] },
    })
  }
  const long = { ...loyaltyCard, input: { ...loyaltyCard.input, description: 'x'.repeat(40_000) } }
  await expect(putHostFunction(context, admin, long)).rejects.toEqual(soukError('parameter_invalid'))
})

test('there can be a hundred functions', async () => {
  for (let count = 2; count < 100; count++) await putHostFunction(context, admin, { ...loyaltyCard, name: `f${count}` })
  await expect(putHostFunction(context, admin, { ...loyaltyCard, name: 'more' })).rejects.toEqual(
    soukError('host_function_limit_reached'),
  )
  await putHostFunction(context, admin, { ...loyaltyCard, name: 'f2' })
})

test('a review grants the functions that the release asks for, and no others', async () => {
  const release = await submit(['loyaltyCard', 'storeLocator'])
  expect(await functionsOf(release)).toEqual({ requested: ['loyaltyCard', 'storeLocator'], granted: [] })
  expect(await granted()).toEqual([])
  const { reviewId } = release
  await approveRelease(context, admin, { reviewId, hostFunctions: ['loyaltyCard'] })
  expect(await granted()).toEqual(['loyaltyCard'])
  expect(await listHostFunctionGrants(context)).toMatchObject([{ name: 'loyaltyCard', appid, appName: 'Tea House' }])

  const next = await submit(['storeLocator'])
  await expect(
    approveRelease(context, admin, { reviewId: next.reviewId, hostFunctions: ['loyaltyCard'] }),
  ).rejects.toEqual(soukError('parameter_invalid'))
  await approveRelease(context, admin, { reviewId: next.reviewId, hostFunctions: ['storeLocator'] })
  // The published release may still call it.
  expect(await functionsOf(next)).toEqual({ requested: ['storeLocator'], granted: ['loyaltyCard', 'storeLocator'] })

  const last = await submit(['loyaltyCard', 'storeLocator'])
  await approveRelease(context, admin, { reviewId: last.reviewId })
  expect(await granted()).toEqual(['loyaltyCard', 'storeLocator'])
  await revokeHostFunction(context, admin, { appid, name: 'loyaltyCard' })
  await expect(revokeHostFunction(context, admin, { appid, name: 'loyaltyCard' })).rejects.toEqual(
    soukError('host_function_not_found'),
  )
  expect(await granted()).toEqual(['storeLocator'])
})

test('a reviewer can take a function from a mini app', async () => {
  const first = await submit(['loyaltyCard'])
  await approveRelease(context, admin, { reviewId: first.reviewId, hostFunctions: ['loyaltyCard'] })
  const second = await submit(['loyaltyCard'])
  await approveRelease(context, admin, { reviewId: second.reviewId, hostFunctions: [] })
  expect(await granted()).toEqual([])
})

test('a release cannot ask for a function that is not declared, or has another form', async () => {
  await expect(submit(['bookTaxi'])).rejects.toEqual(soukError('release_refused'))
  await expect(submit(['../x'])).rejects.toEqual(soukError('release_refused'))
})

test('a function that was removed since the submission is not granted', async () => {
  const { reviewId } = await submit(['loyaltyCard'])
  await removeHostFunction(context, admin, { name: 'loyaltyCard' })
  await expect(approveRelease(context, admin, { reviewId, hostFunctions: ['loyaltyCard'] })).rejects.toEqual(
    soukError('parameter_invalid'),
  )
})
