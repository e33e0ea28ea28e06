import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Clusters } from './clusters.ts'

let clusters: Clusters

beforeEach(async () => {
  clusters = new Clusters(await mkdtemp(join(tmpdir(), 'souk-clusters-')))
})
afterEach(() => rm(clusters.home, { recursive: true }))

const add = async (folder: string, version: number) => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'PG_VERSION'), `${version}\n`)
}
const current = () => join(clusters.home, 'cluster')
const draft = () => join(clusters.draft, 'cluster')

test('an upgrade keeps the old cluster, and a rollback the new one', async () => {
  await add(current(), 17)
  await add(draft(), 18)
  await clusters.useDraft()
  expect([clusters.version, clusters.setAside]).toEqual([18, [17]])
  expect((await readdir(clusters.home)).sort()).toEqual(['cluster', 'cluster-17'])
  await clusters.useOldest()
  expect([clusters.version, clusters.setAside]).toEqual([17, [18]])
  await clusters.removeSetAside()
  expect(await readdir(clusters.home)).toEqual(['cluster'])
})

test('an upgrade that was killed between its two steps starts no server, and is completed by the next one', async () => {
  await add(clusters.pathOf(17), 17)
  await add(draft(), 18)
  expect(() => clusters.checkComplete()).toThrow('souk database upgrade was interrupted. Run it again')
  expect(clusters.isDraftComplete()).toBe(true)
  await clusters.useDraft()
  clusters.checkComplete()
  expect([clusters.version, clusters.setAside]).toEqual([18, [17]])
})

test('a rollback that was killed between its two steps starts no server, and is completed by the next one', async () => {
  await add(clusters.pathOf(17), 17)
  await add(current(), 18)
  await rename(current(), clusters.pathOf(18))
  expect(() => clusters.checkComplete()).toThrow('souk database rollback was interrupted. Run it again')
  expect(clusters.isDraftComplete()).toBe(false)
  await clusters.useOldest()
  expect([clusters.version, clusters.setAside]).toEqual([17, [18]])
})

test('an upgrade that was killed while it copied leaves the old cluster in use', async () => {
  await add(current(), 17)
  await add(draft(), 18)
  clusters.checkComplete()
  expect(clusters.isDraftComplete()).toBe(false)
  expect(clusters.version).toBe(17)
  await clusters.removeDraft()
  expect(await readFile(join(current(), 'PG_VERSION'), 'utf8')).toBe('17\n')
})

test('a new folder is complete', () => {
  clusters.checkComplete()
  expect([clusters.version, clusters.setAside]).toEqual([undefined, []])
})
