import { describe, expect, it } from 'vitest'
import { check } from '../check/check.ts'
import { readPages } from '../config.ts'

const pages = (lines: readonly string[]) => {
  const config = readPages(['{"pages": [', ...lines, ']}'].join('\n'))
  return {
    paths: config.variants[0]!.model.pages.map(({ path }) => path),
    found: check(config).map(({ code, offset }) => `${code}:${config.lines.positionAt(offset).line}`),
  }
}
const [a, b, c] = ['a', 'b', 'c'].map((name) => `{"path": "pages/${name}/${name}"},`) as [string, string, string]

describe('a merge conflict', () => {
  it('is named at each of its lines, and the first side is read', () => {
    expect(pages(['<<<<<<< HEAD', a, '=======', b, '>>>>>>> feature', c])).toEqual({
      paths: ['pages/a/a', 'pages/c/c'],
      found: ['syntax-conflict:2', 'syntax-conflict:4', 'syntax-conflict:6'],
    })
    expect(pages(['<<<<<<< HEAD', a, '||||||| base', c, '=======', b, '>>>>>>> feature'])).toEqual({
      paths: ['pages/a/a'],
      found: ['syntax-conflict:2', 'syntax-conflict:4', 'syntax-conflict:6', 'syntax-conflict:8'],
    })
  })

  it('is also named if some of its lines are gone, and nothing is left out', () => {
    const all = ['pages/a/a', 'pages/b/b']
    expect(pages([a, '=======', b, '>>>>>>> feature']).found).toEqual(['syntax-conflict:3', 'syntax-conflict:5'])
    for (const lines of [
      ['<<<<<<< HEAD', a, '=======', b],
      [a, b, '>>>>>>> feature'],
      [a, '=======', b],
    ])
      expect(pages(lines)).toEqual({
        paths: all,
        found: lines.flatMap((line, index) => (/^[<=>]/.test(line) ? [`syntax-conflict:${index + 2}`] : [])),
      })
  })

  it('may have any number of lines', () => {
    expect(pages(['<<<<<<< HEAD', ...Array<string>(150_000).fill('=======')]).found).toHaveLength(150_002)
  })

  it('is not seen in a comment', () => {
    expect(pages(['/*', '=======', 'Pages', '=======', '*/', a])).toEqual({ paths: ['pages/a/a'], found: [] })
  })
})
