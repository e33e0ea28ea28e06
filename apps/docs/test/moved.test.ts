import { expect, test } from 'vitest'
import { moved, movedTo } from '../.vitepress/theme/moved.ts'

const sections = Object.entries(moved).flatMap(([page, targets]) =>
  Object.entries(targets).map(([section, path]) => ({ page, section, path })),
)

test('a section that has moved leads to its page, as written or encoded by the browser', () => {
  for (const { page, section, path } of sections) {
    expect(movedTo(page, `#${section}`)).toBe(`/${path}`)
    expect(movedTo(page, `#${encodeURIComponent(section)}`)).toBe(`/${path}`)
  }
})

test.each([
  '',
  '#',
  '#100%',
  '#%E0%A4%A',
  '#unknown',
  ...Object.getOwnPropertyNames(Object.prototype).map((it) => `#${it}`),
])('the address %j stays on its page', (hash) => {
  for (const page of [...Object.keys(moved), 'guides/start.md', 'constructor', '__proto__']) {
    expect(movedTo(page, hash)).toBeUndefined()
  }
})
