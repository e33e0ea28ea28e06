import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mentions } from './mentions.ts'

const packages = join(import.meta.dirname, '../../..')
const { transform } = mentions() as unknown as {
  transform: { handler(code: string, id: string): { code: string } | undefined }
}

test('files of a mini app load the parts of the runtime that they mention, and files of Souk none', () => {
  const code = 'api.reportEvent({})'
  expect(transform.handler(code, '/shop/src/pages/home/home.vue')?.code).toBe(
    `import '@souk/runtime/neu/objects';${code}`,
  )
  const files = globSync('{contract,pages,runtime,shell,tags,host-view}/src/**/*.{ts,vue}', { cwd: packages })
  expect(files.length).toBeGreaterThan(100)
  const loading = files.filter((file) => {
    const path = join(packages, file)
    return transform.handler(readFileSync(path, 'utf8'), path) !== undefined
  })
  expect(loading).toEqual([])
})
