import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { check } from './check/check.ts'
import { sourceFor } from './conditional/source.ts'
import { readPages } from './config.ts'
import { toJson } from './parse/nodes.ts'
import { parse } from './parse/parse.ts'

/** Returns the CPU time of this process in ms, which does not grow while the machine is busy with other processes. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

describe('any text', () => {
  it('has the same value as with JSON.parse if it is valid JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, space) => {
        const written = JSON.stringify(JSON.parse(text), null, space)
        const { root, findings } = parse(written)
        expect(findings).toEqual([])
        expect(JSON.stringify(toJson(root!))).toBe(JSON.stringify(JSON.parse(written)))
      }),
      { numRuns: 150 },
    )
  })

  it('takes linear time', () => {
    // Inputs that are slow in other parsers, at a size at which quadratic algorithms take minutes.
    const n = 40_000
    const long = [
      `{"pages": [${'{"path": "pages/a/a"},'.repeat(n)}]}`,
      `{"pages": [${Array.from({ length: n / 4 }, (_, index) => `{"path": "pages/p${index}/p"}`)}], "tabBar": {"list": [${'{"pagePath": "pages/q/q"},'.repeat(n / 4)}]}}`,
      `{${Array.from({ length: n / 4 }, (_, index) => `"navigationBarTitelText${index}": 1`)}}`,
      `{"globalStyle": {"backgroundColor": "${'1'.repeat(n)}", "navigationBarTextStyle": "${'w'.repeat(n)}"}}`,
      `{"pages": [{"path": "${'/'.repeat(n)}x${'../'.repeat(n)}"}]}`,
      '"'.repeat(n),
      '\\e600'.repeat(n),
      '"\\'.repeat(n),
      ',]}:'.repeat(n),
      '// #ifdef H5\n'.repeat(n / 10),
      '// #ifdef H5\n1,\n// #endif\n'.repeat(n / 10),
      `{"pages": [{${'/* #ifdef H5 */'.repeat(n / 2)}"style": {${'"disableSwipeBack": true,'.repeat(n / 2)}}${'/* #endif */'.repeat(n / 2)}}]}`,
      `{${'/* #ifdef !H5 && APP-IOS */'.repeat(n)}`,
      `'${'/* #ifdef H5 */'.repeat(n)}`,
      `// #ifdef ${'('.repeat(n)}`,
      `// #ifdef ${'A || '.repeat(n / 5)}B\n// #endif`,
      '/*'.repeat(n),
      '<<<<<<<\n'.repeat(n / 10),
      '=======\n'.repeat(n / 10),
      '"a": '.repeat(n / 10),
      '["a": '.repeat(n / 10),
      '{}, "a": 1'.repeat(n / 10),
      `{"b": 1}${', "a": 1}'.repeat(n / 10)}`,
      `[{"b": 1}${Array.from({ length: n }, (_, index) => `, "a${index}": 1}`).join('')}`,
      '<!--'.repeat(n),
      '<!-- #i\n'.repeat(n),
      `${'/* #i\n'.repeat(n)}*/`,
      '// #i '.repeat(n),
      '"a\n'.repeat(10 * n),
    ]
    for (const text of long) {
      const start = cpuTime()
      check(readPages(text))
      sourceFor(text, 'H5')
      expect(cpuTime() - start, text.slice(0, 40)).toBeLessThan(10_000)
    }
  })
})
