import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const lockFile = join(root, 'package-lock.json')

test('every workspace of the lock file is in the repository', () => {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, object> }
  const workspaces = Object.keys(packages).filter((path) => !path.includes('node_modules/'))
  expect(workspaces.filter((path) => !existsSync(join(root, path, 'package.json')))).toEqual([])
})

test('packages installed from the lock file are not installed again', async () => {
  const setup: { isInstalled(folder: string): boolean } = await import(join(root, 'setup/installed.mjs'))
  expect(setup.isInstalled(root)).toBe(true)
})
