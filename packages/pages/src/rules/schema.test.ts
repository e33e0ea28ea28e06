import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { corpora } from '../../test/corpus.ts'
import { check } from '../check/check.ts'
import type { Code } from '../check/codes.ts'
import { readPages, variantFor } from '../config.ts'
import { platforms } from '../diagnostic.ts'
import { toJson } from '../parse/nodes.ts'
import { schema } from './schema.ts'

/** Codes of errors and warnings about a single value. */
const expressible: ReadonlySet<Code> = new Set([
  'type-wrong',
  'value-unknown',
  'value-range',
  'color-form',
  'size-form',
  'key-required',
  'tab-count',
  'pages-empty',
])

const validators = platforms.map(
  (platform) => [platform, new Ajv({ strict: true, allErrors: true }).compile(schema(platform))] as const,
)

for (const { name, files } of corpora) {
  it(`agrees with the checker on each of the ${name}, on every platform`, () => {
    const differences = files.flatMap((file) => {
      const config = readPages(file.text)
      const found = check(config)
      return validators.flatMap(([platform, validate]) => {
        const { root, syntax } = variantFor(config, platform)
        if (root === undefined || syntax.some(({ code }) => code !== 'key-duplicate')) return []
        const reported = found.filter((each) => each.platforms.includes(platform) && expressible.has(each.code))
        if (validate(toJson(root)) === (reported.length === 0)) return []
        const errors = validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)
        return [{ file: file.name, platform, errors, reported: reported.map(({ message }) => message) }]
      })
    })
    expect(differences).toEqual([])
  })
}

it('compiles in the strict mode of Ajv, for one platform and for all', () => {
  for (const platform of [undefined, ...platforms]) new Ajv({ strict: true }).compile(schema(platform))
})
