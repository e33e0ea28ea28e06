import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Locale, locales } from '@souk/web'
import { expect, test } from 'vitest'
import { pageOfError } from './pageOfError.ts'

const root = join(import.meta.dirname, '../../../..')

test.each(Object.keys(locales) as Locale[])('codes of errors lead to their pages in %s', (locale) => {
  const page = pageOfError('[code]', locale)
  expect(existsSync(join(root, `${page}.md`)), page).toBe(true)
  expect(page.startsWith('/docs/errors/')).toBe(locale === 'en')
})
