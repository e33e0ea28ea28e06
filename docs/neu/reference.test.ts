import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exampleOfFunction, exampleOfTag, examples } from '../../apps/docs/.vitepress/reference/examples.ts'
import { failuresOf, pageOfFunction, runsInPhone } from '../../apps/docs/.vitepress/reference/functions.ts'
import { functionPages, listOn, types as readTypes, tagPages } from '../../apps/docs/.vitepress/reference/index.ts'
import { failures } from '../../packages/runtime/src/neu/table/failures.ts'
import { availableFunctions, ignoredOptions } from '../../packages/runtime/src/neu/table/index.ts'
import { tags } from '../../packages/tags/src/tags.ts'
import { ignoredAttributes, tagDifference } from '../../packages/vite-plugin/src/uniCompat/migrate/tagSupport.ts'

const root = join(import.meta.dirname, '../..')
const types = readTypes()
const pages = new Map(functionPages().map(({ name, content }) => [name, content]))
const pagesOfTags = new Map(tagPages().map(({ tag, content }) => [tag, content]))

/** Returns the rows of the tables of a page whose last cell is empty. */
const emptyRows = (page: string) => page.split('\n').filter((line) => /^\|.*\|\s*\|$/.test(line))

test('the lists name every function and tag', () => {
  for (const name of Object.keys(availableFunctions))
    expect(listOn('neu/index.md')).toContain(`[${name}](/neu/${pageOfFunction(name)}.md)`)
  for (const { tag } of tags) expect(listOn('tags/index.md')).toContain(`[${tag}](/tags/${tag}.md)`)
  expect(pagesOfTags.size).toBe(tags.length)
})

describe.each(Object.entries(availableFunctions))('the page of %s', (name, entry) => {
  const page = pages.get(pageOfFunction(name))!
  const { description, options, parameters, result, task, resultType, returns } = types.functions[name]!

  test('has a description, and one of every argument and every field of the result', () => {
    expect(description).toMatch(/^[A-Z`].*\.$/s)
    const used = options.filter((option) => !entry.options?.[option.name]?.isIgnored)
    for (const field of [...used, ...result, ...task])
      expect(field, field.name).toHaveProperty('description', expect.stringMatching(/./))
    for (const { name: argument } of used) expect(page).toContain(`| \`${argument}\` |`)
    for (const { name: argument } of parameters) expect(page).toContain(`| \`${argument}\` |`)
    expect(emptyRows(page)).toEqual([])
    const isListener = entry.kind === 'event'
    const isDescribed = isListener || result.length > 0 || returns !== '' || ['', 'void', 'any'].includes(resultType)
    expect(isDescribed, `what ${name} returns`).toBe(true)
  })

  test('says on which platforms it is, whether the user is asked, with what it fails and how it differs', () => {
    expect(page).toMatch(/\*\*Platforms:\*\* (?:H5|App)/)
    expect(page).toContain('**Consent:**')
    for (const fail of failuresOf(name)) expect(page).toContain(failures[fail].fix)
    if (entry.differs) expect(page.toLowerCase()).toContain(entry.differs.toLowerCase())
    for (const ignored of ignoredOptions(entry)) expect(page).toContain(`\`${ignored}\``)
  })

  test('has an example, which the phone runs unless it needs the window of a browser', () => {
    const example = exampleOfFunction(name) ?? exampleOfFunction(pageOfFunction(name))
    expect(example, `an example in apps/docs/examples that calls neu.${name}`).toBeDefined()
    expect(page).toContain('```vue')
    if (runsInPhone(entry) && example!.isPage) expect(page).toMatch(/```vue phone pages\//)
  })
})

describe.each(tags.map(({ tag }) => tag))('the page of <%s>', (tag) => {
  const page = pagesOfTags.get(tag)!
  const { attributes, events } = types.tags[tag]!

  test('has a description of the tag, its attributes, its events and their fields', () => {
    expect(page).toMatch(/^# /)
    for (const { name } of attributes) expect(page).toContain(`| \`${name}\` |`)
    for (const { name, description } of events) expect(description, name).not.toBe('')
    expect(emptyRows(page)).toEqual([])
  })

  test('says how it differs, and has an example', () => {
    const difference = tagDifference(tag)
    if (difference) expect(page.toLowerCase()).toContain(difference.toLowerCase())
    for (const ignored of ignoredAttributes(tag)) expect(page).toContain(`\`${ignored}\``)
    expect(exampleOfTag(tag), `an example in apps/docs/examples with <${tag}>`).toBeDefined()
  })
})

test('functions fail with these reasons in the sources', () => {
  const sources = globSync('{packages/{runtime,shell,host-view,contract}/src,apps/{host,server}/src}/**/*.{ts,vue}', {
    cwd: root,
  })
    .filter((path) => !/\.test\.ts$|table\/failures\.ts$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  for (const { reason } of Object.values(failures)) {
    const [longest] = reason.split(/<\w+>|…/).sort((a, b) => b.length - a.length)
    expect(sources, reason).toContain(longest!.trim())
  }
})

test('every failure is that of a function, and every example that of a page', () => {
  const used = new Set(Object.keys(availableFunctions).flatMap(failuresOf))
  expect(Object.keys(failures).filter((name) => !used.has(name as keyof typeof failures))).toEqual([])
  const text = [...pages.values(), ...pagesOfTags.values()].join('\n')
  const opened = /^pages\/more\//
  expect(examples.filter(({ path, source }) => !opened.test(path) && !text.includes(source.trimEnd()))).toEqual([])
})
