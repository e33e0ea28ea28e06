import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const limit = 132

/** Chinese has no spaces to break a line at; the others are generated. */
const exclude = ['docs/zh/**', 'docs/{,*/}generated/**', 'docs/errors/**', 'docs/operations/**', 'docs/adr/README.md']
const pages = globSync(['docs/**/*.md', '{README,CONTRIBUTING,SECURITY}.md', '{sdks,packages,examples}/*/README.md'], {
  cwd: root,
  exclude,
})

test('lines of prose have at most 132 columns', () => {
  const long = pages.flatMap((page) => {
    const prose = readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '')
    const lines = prose.split('\n').filter((line) => !/^\s*(?:[|<#]|!\[)/.test(line))
    return lines.filter((line) => line.length > limit).map((line) => `${page}: ${line}`)
  })
  expect(pages.length).toBeGreaterThan(300)
  expect(long).toEqual([])
})
