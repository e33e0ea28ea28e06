import { applyEdits, type Edit, readPages, setValue } from '@souk/pages'
import { renamedOptions } from './checkSource.ts'
import type { Facts } from './facts.ts'
import type { JsonFile } from './settings.ts'
import type { Source } from './sources.ts'

/** A safe change of a file: it preserves behavior, or changes it to what uni-app documents for Vue 3. */
export interface Change {
  /** Absolute path. */
  readonly file: string
  /** The file as it was read; undefined if it does not exist. */
  readonly before: string | undefined
  readonly after: string
  /** The change, in the imperative. */
  readonly titles: readonly string[]
}

/** Returns the edits that replace syntax of Vue 2 which Vue 3 has under another name. */
function vue3Edits(facts: Facts): (Edit & { title: string })[] {
  const edits: (Edit & { title: string })[] = []
  for (const { name, offset } of facts.options) {
    const renamed = Object.hasOwn(renamedOptions, name) ? renamedOptions[name] : undefined
    if (renamed === undefined || facts.options.some((each) => each.name === renamed)) continue
    edits.push({ offset, length: name.length, text: renamed, title: `Rename ${name} to ${renamed}` })
  }
  for (const { name, offset, length, text } of facts.directives) {
    // `:title.sync="a"` and `v-bind:title.sync="a"`; anything else has more modifiers or a computed name.
    const written = name === 'sync' ? /^(?:v-bind)?:([\w-]+)\.sync(?=\s*=)/.exec(text) : null
    if (written === null) continue
    const replaced = `v-model:${written[1]}${text.slice(written[0].length)}`
    edits.push({ offset, length, text: replaced, title: 'Replace .sync by v-model' })
  }
  return edits
}

/** Combines the edits of all builds that read a source. Undefined if there are none. */
export function sourceChange(file: string, { text, facts }: Source): Change | undefined {
  const edits = [...new Set(facts.values())].filter(({ error }) => error === undefined).flatMap(vue3Edits)
  // A quoted name such as `'destroyed'() {}` is not at the offset of the property; `{ destroyed }` is a variable, too.
  const exact = edits.filter(({ offset, length, text: after }) => {
    const [before, rest] = [text.slice(offset, offset + length), text.slice(offset + length)]
    return after.startsWith('v-model') || (Object.hasOwn(renamedOptions, before) && /^\s*[(:]/.test(rest))
  })
  if (exact.length === 0) return undefined
  const titles = [...new Set(exact.map(({ title }) => title))]
  return { file, before: text, after: applyEdits(text, exact), titles }
}

/** Adds packages to package.json, which is created if the project has none. */
export function packageChange({ file, text }: JsonFile, packages: ReadonlyMap<string, string>): Change | undefined {
  if (packages.size === 0) return undefined
  let after = text ?? '{\n  "private": true\n}\n'
  const titles: string[] = []
  for (const [name, version] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const edits = setValue(readPages(after), ['dependencies', name], version)
    if (edits === undefined) return undefined
    after = applyEdits(after, edits)
    titles.push(`Add ${name} ${version} to dependencies`)
  }
  return isJson(after) ? { file, before: text, after, titles } : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return true
  } catch {
    return false
  }
}
