import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rights } from './roles.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/members.md'), 'utf8')

test('the guide lists every right with its roles, and no others', () => {
  const rows = Array.from(
    guide.matchAll(/^\| `(\w+\.\w+)` \| .+ \| (yes|no) \| (yes|no) \| (yes|no) \|$/gm),
    ([, action, owner, editor, viewer]) => [
      action,
      { owner: owner === 'yes', editor: editor === 'yes', viewer: viewer === 'yes' },
    ],
  )
  expect(rows).toEqual(Object.entries(rights))
})
