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

/** Returns what is drawn, and where it begins and ends along the direction of a diagram. Cylinders are left out. */
function shapesOf(block: string): { name: string; start: number; end: number }[] {
  const shape =
    /<g class="(?:node|subgraph|actor)" data-id="(\w+)"[^>]*>\s*<rect x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"/g
  const isDown = block.startsWith('flowchart TD')
  return Array.from(drawDiagram(block, 'one').matchAll(shape), ([, name, x, y, width, height]) => {
    const start = Number(isDown ? y : x)
    return { name: name!, start, end: start + Number(isDown ? height : width) }
  })
}

describe.each(drawn)('%s', (page) => {
  test('draws its diagrams, with a title and a description in its language', () => {
    for (const block of diagramsOf(page)) {
      const { title, description } = readDiagram(block)
      const svg = drawDiagram(block, 'one')
      expect(svg).toMatch(/^<svg [^>]*role="img" aria-labelledby="one-title" aria-describedby="one-description"/)
      expect(svg).not.toMatch(/<style|@import|https?:\/\/(?!www\.w3\.org)|arrowhead-start[^>]*reverse/)
      expect(title).toMatch(scripts[languageOf(page)]!)
      expect(description).toMatch(scripts[languageOf(page)]!)
      expect(description.length).toBeGreaterThan(30)
    }
  })

  test('draws first what its diagrams begin with', () => {
    for (const block of diagramsOf(page)) {
      const name = /^\s+(?:(?:subgraph|participant) )?(\w+)/m.exec(readDiagram(block).source)?.[1]
      const shapes = shapesOf(block)
      const first = shapes.find((shape) => shape.name === name)!
      // The layout reverses an arrow of a cycle. Write a step and the one that undoes it as one arrow with two heads.
      expect(shapes.filter(({ end }) => end < first.start)).toEqual([])
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
