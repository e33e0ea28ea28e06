import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const bundled = ['apps/docs/.vitepress/config.ts', ...globSync('docs/**/*.paths.ts', { cwd: root })]

test.each(bundled)('%s leaves imports to Node, which finds the sources of packages that are not built', (file) => {
  const text = readFileSync(join(root, file), 'utf8')
  expect(text).not.toMatch(/^(?:import|export) (?!type )[^;]*?from '(?!node:)/m)
  expect(text).not.toMatch(/\bimport\('(?!.*'\)$)/m)
})
