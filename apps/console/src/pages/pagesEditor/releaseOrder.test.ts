import { expect, test } from 'vitest'
import { inOrder, type Release } from './releaseOrder.ts'

const release = (version: string, platform: Release['platform'], current = false) =>
  ({ version, platform, current }) as Release
const versions = (releases: Release[]) => inOrder(releases).map(({ version }) => version)

test('published releases come first, then newer ones; H5 is excluded', () => {
  const releases = [
    release('6', 'Mini App'),
    release('5', 'H5', true),
    release('4', 'App', true),
    release('3', 'App'),
    release('2', 'Mini App', true),
    release('1', 'Mini App'),
  ]
  expect(versions(releases)).toEqual(['2', '4', '6', '3'])
  expect(versions([])).toEqual([])
})
