import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { corpora, largeFile } from '../../packages/pages/test/corpus.ts'
import { textOf } from '../grammar/text.ts'
import { functionTarget } from '../target.ts'
import { examine, random, tokens } from './examinePages.ts'

const samples = [
  readFileSync(new URL('../../packages/pages/test/fixtures/everything.jsonc', import.meta.url), 'utf8'),
  ...corpora.flatMap(({ files }) => files.map(({ text }) => text)),
  largeFile(),
]

/** Texts of pages.json, used like in an editor: checked, resolved, explained, edited and fixed. */
export const pages = functionTarget({
  name: 'pages/text',
  surface: 'pages',
  weight: 1,
  inputs: fc.record({ text: textOf({ samples, tokens }), place: fc.nat(), isThorough: rarely() }),
  check: ({ text, place, isThorough }) => examine(text, random(place), isThorough),
})

/** Selects every hundredth input: all examinations take several times as long as one. */
function rarely(): fc.Arbitrary<boolean> {
  return fc.nat(99).map((number) => number === 1)
}
