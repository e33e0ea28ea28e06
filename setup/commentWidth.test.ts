import { expect, test } from 'vitest'
import { findWideComments } from './commentWidth.mjs'

const fits = 'x'.repeat(117)
const wide = 'x'.repeat(118)

test.each([
  ['a.ts', `// ${fits}`, `// ${wide}`],
  ['a.mjs', ` * ${fits.slice(1)}`, ` * ${wide.slice(1)}x`],
  ['a.vue', `<!-- ${fits.slice(2)}`, `<!-- ${wide.slice(1)}`],
  ['a.sql', `-- ${fits}`, `-- ${wide}`],
  ['a.py', `# ${fits}x`, `# ${wide}x`],
  ['a.css', `/* ${fits}`, `/* ${wide}`],
])('reports comments wider than 120 columns in %s', (file, narrow, tooWide) => {
  expect(findWideComments(file, `${narrow}\n${tooWide}\n`)).toEqual([2])
})

test('ignores wide code, other types and generated files', () => {
  expect(findWideComments('a.ts', `const a = '${wide}'`)).toEqual([])
  expect(findWideComments('a.md', `// ${wide}`)).toEqual([])
  expect(findWideComments('packages/pages/src/document.generated.ts', `// ${wide}`)).toEqual([])
})

test('counts characters, not bytes', () => {
  expect(findWideComments('a.ts', `// ${'…'.repeat(117)}`)).toEqual([])
})
