import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adrFaults, citationFaults, linkFaults } from './citations.ts'

const root = join(import.meta.dirname, '../..')
const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))

const isText = /\.(?:ts|mts|vue|js|mjs|cjs|json|md|sql|py|sh|css|html|yml|yaml|ini|java|php|go)$/
/** This test, whose examples are wrong on purpose, and third-party files. */
const isLeftOut = /^docs\/spec\/citations|package-lock\.json$|\/corpus\//
/** Released migrations never change. */
const isReleased = /^apps\/server\/migrations\//
const texts = new Map(
  paths
    .filter((path) => isText.test(path) && !isLeftOut.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
const files = new Map([...texts].filter(([path]) => !isReleased.test(path)))
const folders = new Set(paths.flatMap(parents))

function parents(path: string): string[] {
  const folder = posix.dirname(path)
  return folder === '.' ? ['.'] : [folder, ...parents(folder)]
}

describe('the repository', () => {
  it('cites the specification as open-api §4.3 or pages-json §2.6, and only sections that exist', () => {
    expect(citationFaults(files)).toEqual([])
  })

  it('refers only to ADRs that exist', () => {
    expect(adrFaults(texts)).toEqual([])
  })

  it('links only to files and headings that exist', () => {
    expect(
      linkFaults(
        new Map([...files, ...paths.filter((path) => !files.has(path)).map((path) => [path, ''] as const)]),
        folders,
      ),
    ).toEqual([])
  })
})

describe('the check of citations', () => {
  const spec = [
    ['docs/spec/open-api.md', '## 1. Overview\n### 4.3 Operations\nsee §4.3'],
    ['docs/spec/pages-json.md', '### 2.6 titleNView\n#### 2.6.1 buttons'],
  ] as const
  const faultsOf = (text: string) => citationFaults(new Map([...spec, ['a.ts', text]]))

  it.each([
    '// The sign (open-api §4.3).',
    '// open-api §1, §4.3',
    '// open-api §1 and §4.3',
    ' * (open-api\n * §4.3)',
    "'the page (pages-json §2.6.1)'",
    '// RFC 9110 §10.2.3',
    '[open-api §1](spec/open-api.md#1-overview), [§4.3](spec/open-api.md#43-operations)',
    'section $section (open-api §$section)',
  ])('accepts %j', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  it('rejects a section that does not exist, also in a list', () => {
    expect(faultsOf('\n// pages-json §2.6, §2.7')).toEqual(['a.ts:2: pages-json has no §2.7'])
  })

  it.each([
    ['// document §4.3', 'document §4.3'],
    ['// open API §4.3', 'API §4.3'],
    ['// Open-api §4.3', 'Open-api §4.3'],
    ['// (§4.3)', '§4.3'],
    ['// Section 2.1 of it', 'Section 2.1'],
  ])('rejects %j', (text, found) => {
    expect(faultsOf(text)).toEqual([`a.ts:1: write "${found}" as open-api §… or pages-json §…`])
  })

  it('rejects sections that the specification itself does not have', () => {
    expect(citationFaults(new Map([['docs/spec/open-api.md', '## 1. Overview\n[§2](#2)']]))).toEqual([
      'docs/spec/open-api.md:2: open-api has no §2',
    ])
  })
})

describe('the check of ADR references', () => {
  const faultsOf = (text: string) =>
    adrFaults(
      new Map([
        ['docs/adr/0012-callbacks.md', ''],
        ['docs/adr/0020-egress.md', ''],
        ['a.ts', text],
      ]),
    )

  it('accepts decisions by the number of their file', () => {
    expect(faultsOf('// ADR 12, ADRs 12 and 20 (ADR\n// 20), as ADR 12, 3 times a day')).toEqual([])
  })

  it('rejects a decision without a file', () => {
    expect(faultsOf('\n// ADRs 12 and 13')).toEqual(['a.ts:2: there is no ADR 13'])
  })
})

describe('the check of links', () => {
  const faultsOf = (text: string) =>
    linkFaults(
      new Map([
        ['docs/a.md', text],
        ['docs/spec/b.md', '## 2.1 The `file`, *really*\n## Twice\n## Twice\n```sh\n# no heading\n```'],
      ]),
      new Set(['.', 'docs']),
    )

  it('accepts files, folders, headings and addresses', () => {
    expect(
      faultsOf('[b](spec/b.md#21-the-file-really) [c](spec/b.md#twice-1) [d](../docs) [e](https://e.example/#f)'),
    ).toEqual([])
  })

  it('rejects a file or a heading that does not exist', () => {
    expect(faultsOf('[x](spec/x.md)\n[b](spec/b.md#no-heading)')).toEqual([
      'docs/a.md:1: there is no file docs/spec/x.md',
      'docs/a.md:2: docs/spec/b.md has no heading #no-heading',
    ])
  })
})
