import { readFileSync } from 'node:fs'
import { type Platform, platforms } from '@souk/pages'
import { type Tag as TagEntry, tags } from '@souk/tags/tags'
import { parseSync } from 'vite'
import { namesByModule } from '../runtime/generate.ts'
import {
  allFunctions,
  availableFunctions,
  type Entry,
  ignoredOptions,
  missingFunctions,
} from '../runtime/src/neu/table/index.ts'
import { type GuideTexts, guideTexts } from './guideTexts.ts'
import { namespaces } from './src/namespaces.ts'
import { functions } from './src/uniCompat/migrate/ecosystem.ts'
import {
  allTags,
  ignoredAttributes,
  type Support,
  tagDifference,
  tagSupport,
} from './src/uniCompat/migrate/tagSupport.ts'

/** Generates the editor files from the table of tags. */
export default function generate(): Record<string, string> {
  return {
    'packages/vite-plugin/editor/tags.json': `${JSON.stringify(
      tags.map(({ tag }) => tag),
      null,
      2,
    )}\n`,
    'packages/vite-plugin/editor/client.d.ts': client(),
    'packages/vite-plugin/src/uniCompat/migrate/runtime.generated.ts': runtimeNames(),
    'packages/vite-plugin/src/neuNames.generated.ts': namesOfNeu(),
    ...Object.fromEntries(
      Object.entries(guideTexts).map(([folder, texts]) => [
        `docs/${folder}guides/from-uni-app.md`,
        guide(`docs/${folder}guides/from-uni-app.md`, texts),
      ]),
    ),
  }
}

/** Exports of the runtime, which Node cannot load because it is shipped as source. */
function runtimeNames(): string {
  const list = (names: readonly string[]) => names.map((name) => `  '${name}',`).join('\n')
  return `// Generated from the runtime by \`npm run generate\`.
import type { Platform } from '@souk/pages'

/** A function of \`uni\`, with the platforms that do not have it. */
interface Api {
  readonly name: string
  readonly missing: readonly Platform[]
  readonly differs?: string
  /** Why it is missing on all of them, and what to use instead. */
  readonly why?: string
}

export const apis: readonly Api[] = [
${Object.entries(allFunctions).map(apiLine).join('\n')}
]

/** Names that modules can import from the runtime. */
export const exportedNames: readonly string[] = [
${list(exportsOf('index.ts'))}
]

/** Names that only imports from \`@dcloudio/uni-app\` have. */
export const moreUniAppNames: readonly string[] = [
${list(exportsOf('ecosystem/uniApp.ts'))}
]
`
}

/** Functions of `neu` by the module that has them. */
function namesOfNeu(): string {
  const lists = Object.entries(namesByModule()).map(([list, names]) => {
    return `export const ${list}: readonly string[] = [\n${names.map((name) => `  '${name}',`).join('\n')}\n]\n`
  })
  return `// Generated from the runtime by \`npm run generate\`.\n${lists.join('')}`
}

/** Returns the names that a module of the runtime exports, without types. */
function exportsOf(module: string): string[] {
  const text = readFileSync(new URL(`../runtime/src/${module}`, import.meta.url), 'utf8')
  const { staticExports } = parseSync(module, text).module
  return staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, isType }) => (isType || !exportName.name ? [] : [exportName.name])),
  )
}

function client(): string {
  return `// Global types of mini app pages, for editors and vue-tsc. Generated from the table of tags by \`npm run generate\`.
/// <reference types="vite/client" />
/// <reference types="@souk/runtime/constants" />
import type { EventChannel, Neu } from '@souk/runtime'
import type * as tags from '@souk/tags'
import type { CommonAttributes, PickerTag, PropsOf, Replaceable, Tag } from '@souk/tags/types'
import type { AriaAttributes } from 'vue'

declare module 'vue' {
  interface GlobalComponents {
${tags.map((tag) => `    /** ${tag.description} */\n    ${pascalCase(tag.tag)}: ${tagType(tag)}`).join('\n')}
  }
  /** Attributes that each component passes on to its element. The types of its own props and events stay. */
  interface AllowedComponentProps extends AriaAttributes {
    id?: unknown
    onTap?: unknown
  }
  interface HTMLAttributes {
    onTap?: CommonAttributes['onTap']
  }
  interface ComponentCustomProperties {
${namespaces.map((name) => `    ${name}: Neu`).join('\n')}
    /** Returns the channel to the page that opened this one with \`neu.navigateTo\`. */
    getOpenerEventChannel(): EventChannel | undefined
  }
}
`
}

const pascalCase = (tag: string): string => tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

function tagType({ tag, component, ignored = [], isReplaceable }: TagEntry): string {
  const names = ignored.map((name) => `'${name}'`).join(' | ') || 'never'
  if (tag === 'picker') return `PickerTag<typeof tags.${component}, ${names}>`
  const props = component ? `PropsOf<typeof tags.${component}>` : 'Record<never, never>'
  const type = `Tag<'${tag}', ${props}, ${names}>`
  return isReplaceable ? `Replaceable<${type}>` : type
}

function apiLine([name, api]: [string, Entry]): string {
  const explained = missingFunctions[name]
  const difference =
    (api.differs === undefined ? '' : `, differs: ${JSON.stringify(api.differs)}`) +
    (explained ? `, why: ${JSON.stringify(`${explained.reason}; ${explained.instead}`)}` : '')
  return `  { name: '${name}', missing: ${JSON.stringify(missingOn(api))}${difference} },`
}

const missingOn = ({ H5, frame }: Entry): Platform[] =>
  platforms.filter((platform) => (platform === 'H5' ? H5 : frame) === 'missing')

/** Joins a difference and names that have no effect. */
function joined(differs: string | undefined, ignores: readonly string[], texts: GuideTexts): string | undefined {
  const ignored = ignores.length > 0 ? texts.ignores(ignores.map((name) => `\`${name}\``).join(', ')) : undefined
  return [differs && note(differs, texts), ignored].filter((each) => each !== undefined).join('; ') || undefined
}

/** Returns a note in the language of the texts. @throws Error if it is not translated */
function note(english: string, { notes }: GuideTexts): string {
  const text = notes ? notes[english] : english
  if (text === undefined) throw new Error(`Add to the notes of each language in guideTexts.ts: ${english}`)
  return text
}

/** Fills the tables of the guide. Its other text is written by hand. */
function guide(path: string, texts: GuideTexts): string {
  const tagRows = allTags.map((tag) => {
    const difference = joined(tagDifference(tag), ignoredAttributes(tag) ?? [], texts)
    return `| \`${tag}\` | ${supportText(tagSupport(tag)!, difference, texts)} |`
  })
  const rows = Object.entries(availableFunctions).map(([name, entry]) => {
    const difference = joined(entry.differs, ignoredOptions(entry) ?? [], texts)
    return `| \`${name}\` | ${supportText({ missing: missingOn(entry) }, difference, texts)} |`
  })
  const reasons = Map.groupBy(
    Object.entries(missingFunctions),
    ([, { reason, instead }]) => `${note(reason, texts)} | ${note(instead, texts)}`,
  )
  const missingRows = [...reasons].map(
    ([explanation, entries]) => `| ${entries.map(([name]) => `\`${name}\``).join(', ')} | ${explanation} |`,
  )
  const others = [...functions].filter((name) => !Object.hasOwn(allFunctions, name)).sort()
  const parts = {
    tags: [`| ${texts.tag} | ${texts.inSouk} |`, '|---|---|', ...tagRows].join('\n'),
    functions: [`| ${texts.function} | ${texts.inSouk} |`, '|---|---|', ...rows].join('\n'),
    missing: [`| ${texts.functions} | ${texts.why} | ${texts.instead} |`, '|---|---|---|', ...missingRows].join('\n'),
    others: wrapped(others),
  }
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  return text.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
    (_, start: string, name: keyof typeof parts, end: string) => `${start}${parts[name]}\n${end}`,
  )
}

function supportText({ missing }: Support, difference: string | undefined, texts: GuideTexts): string {
  if (missing.length === platforms.length) return texts.missing
  const where = missing.length > 0 ? [texts.missingOn(missing)] : []
  const notes = [...where, ...(difference ? [texts.differs(difference)] : [])]
  return notes.length > 0 ? notes.join('; ') : texts.works
}

/** Joins names in lines of at most 120 characters. */
function wrapped(names: readonly string[]): string {
  const lines = ['']
  for (const name of names) {
    if (`${lines.at(-1)} ${name}`.length > 118) lines.push('')
    lines.push(`${lines.pop()} ${name}`.trim())
  }
  return `\`${lines.join('\n')}\``
}
