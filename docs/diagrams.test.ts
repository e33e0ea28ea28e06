import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { drawDiagram, readDiagram } from '../apps/docs/.vitepress/diagrams.ts'
import { scripts } from './languages.ts'

const root = join(import.meta.dirname, '..')
const pages = ['ARCHITECTURE.md', ...globSync('docs/**/*.md', { cwd: root })]
const diagramsOf = (page: string) =>
  Array.from(readFileSync(join(root, page), 'utf8').matchAll(/^```mermaid\n([\s\S]*?)^```$/gm), ([, block]) => block!)
const drawn = pages.filter((page) => diagramsOf(page).length > 0)
const languageOf = (page: string) => /^docs\/(zh|ar)\//.exec(page)?.[1] ?? 'en'

/** Returns the arrows of a diagram, without what they are labeled with. */
const arrowsOf = (block: string) => readDiagram(block).source.match(/-{1,2}>{1,2}|-\.->|- ?-->|-\. /g)

describe.each(drawn)('%s', (page) => {
  test('draws its diagrams, with a title and a description in its language', () => {
    for (const block of diagramsOf(page)) {
      const { title, description } = readDiagram(block)
      const svg = drawDiagram(block, 'one')
      expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="one-title" aria-describedby="one-description"/)
      expect(svg).not.toMatch(/<style|@import|https?:\/\/(?!www\.w3\.org)/)
      expect(title).toMatch(scripts[languageOf(page)]!)
      expect(description).toMatch(scripts[languageOf(page)]!)
      expect(description.length).toBeGreaterThan(30)
    }
  })

  test('has the diagrams of the English page', () => {
    const english = page.replace(/^docs\/(?:zh|ar)\//, 'docs/')
    expect(diagramsOf(page).map(arrowsOf)).toEqual(diagramsOf(english).map(arrowsOf))
  })
})

test('the flows that newcomers ask about are drawn', () => {
  expect(drawn).toEqual(
    expect.arrayContaining(
      ['login-and-payment', 'backend', 'releases', 'operations', 'verify-callbacks', 'high-availability'].map(
        (guide) => `docs/guides/${guide}.md`,
      ),
    ),
  )
})
