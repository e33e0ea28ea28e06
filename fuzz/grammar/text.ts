import fc from 'fast-check'

/** The words of a text format: complete samples, and tokens of valid and broken texts. */
export interface Vocabulary {
  samples: readonly string[]
  tokens: readonly string[]
}

/** Random parts of samples longer than this are used, since most bugs need little context. */
const excerptLength = 600
const maxChanges = 6
/** Quadratic algorithms take more than a second of CPU time for this many tokens. */
const maxRepetitions = 40_000

interface Change {
  /** Position and length as fractions of the text. */
  at: number
  length: number
  text: string
}

/** Creates texts of a format: changed samples, random tokens, repeated tokens and arbitrary characters. */
export function textOf({ samples, tokens }: Vocabulary): fc.Arbitrary<string> {
  const token = fc.constantFrom(...tokens)
  const inserted = fc.oneof(
    { arbitrary: token, weight: 4 },
    { arbitrary: fc.constant(''), weight: 2 },
    { arbitrary: fc.string({ unit: 'binary', maxLength: 3 }), weight: 1 },
  )
  const change: fc.Arbitrary<Change> = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(12),
    text: inserted,
  })
  const excerpt = fc
    .record({
      sample: fc.constantFrom(...samples),
      from: fc.double({ min: 0, max: 1, noNaN: true }),
      isWhole: fc.boolean(),
    })
    .map(({ sample, from, isWhole }) => {
      if (isWhole && sample.length <= excerptLength) return sample
      const start = Math.floor(from * sample.length)
      return sample.slice(start, start + excerptLength)
    })
  const changed = fc
    .tuple(excerpt, fc.array(change, { maxLength: maxChanges }))
    .map(([text, changes]) => changes.reduce(applyChange, text))
  const invented = fc.array(token, { maxLength: 60 }).map((parts) => parts.join(''))
  const repeated = fc
    .tuple(inserted, inserted, fc.nat(maxRepetitions), inserted)
    .map(([start, text, count, end]) => start + text.repeat(count) + end)
  return fc.oneof(
    { arbitrary: changed, weight: 60 },
    { arbitrary: invented, weight: 30 },
    { arbitrary: fc.string({ unit: 'binary' }), weight: 9 },
    { arbitrary: repeated, weight: 1 },
  )
}

function applyChange(text: string, { at, length, text: inserted }: Change): string {
  const from = Math.floor(at * text.length)
  return text.slice(0, from) + inserted + text.slice(from + length)
}
