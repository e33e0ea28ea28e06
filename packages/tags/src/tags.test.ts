import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flags, selectorNames, tags } from './tags.ts'

const components = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.vue'))
const index = readFileSync(`${import.meta.dirname}/index.ts`, 'utf8')
const css = readFileSync(`${import.meta.dirname}/tags.css`, 'utf8')

test('every component of the table exists, is exported and renders the element of its tag', () => {
  for (const { tag, component } of tags) {
    if (!component) continue
    expect(components).toContain(`${component}.vue`)
    expect(index).toContain(`export { default as ${component} } from './${component}.vue'`)
    expect(readFileSync(`${import.meta.dirname}/${component}.vue`, 'utf8')).toMatch(
      new RegExp(`<neu-${tag}[\\s>]|h\\('neu-${tag}'|default define(?:Choice|List|View)\\('${tag}'\\)`),
    )
  }
})

test('every component belongs to a tag, except for parts behind import()', () => {
  const named = tags.flatMap(({ component }) => (component ? [`${component}.vue`] : []))
  expect(components.filter((name) => !named.includes(name))).toEqual(['PickerSheet.vue', 'Refresher.vue'])
})

test('elements are named after their tag, and block has none', () => {
  for (const { tag, element } of tags) if (element) expect(element).toBe(`neu-${tag}`)
  expect(tags.filter(({ element, component }) => !element && !component).map(({ tag }) => tag)).toEqual(['block'])
  expect(selectorNames).not.toContain('block')
})

test('rules for tags have at most the specificity of a type selector, except for states and a scroll view of blocks', () => {
  const selectors = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/([^{}]+)\{/g)
    .flatMap(([, list]) => (list!.includes('[hidden]') ? [] : list!.split(',\n')))
    .map((selector) => selector.trim())
  for (const selector of selectors)
    expect(selector).toMatch(
      /^(?::root|:where\([^)]+\)|neu-[a-z-]+(?::where\(.+\))?(?:::after)?|neu-button(?:\[[^\]]+\]|:not\(\[.+\]\))+(?:::after)?|neu-rich-text img|neu-scroll-view\[data-padded\]|neu-scroll-view\[data-blocks\]:not\(\[style\*="display: none"\]\))$/,
    )
})

test('the table of flags has all attributes that are true or false', () => {
  // Components that a project may replace have their own attributes, and the build sets `linkOutside`.
  const others = /^(?:linkOutside|modelValue)$/
  const replaceable = tags.flatMap(({ component, isReplaceable }) => (isReplaceable ? [`${component}.vue`] : []))
  const files = readdirSync(import.meta.dirname).filter((name) => /\.(?:vue|ts)$/.test(name) && !/\.test\./.test(name))
  const found = files.flatMap((name) => {
    if (replaceable.includes(name)) return []
    const text = readFileSync(`${import.meta.dirname}/${name}`, 'utf8')
    const props = /defineProps<\{[\s\S]*?\}>/.exec(text)?.[0] ?? ''
    return [...text.matchAll(/(\w+): (?:\{ type: )?Boolean,/g), ...props.matchAll(/(\w+)\?: boolean/g)].map(
      ([, prop]) => prop!,
    )
  })
  const hyphenated = found
    .filter((prop) => !others.test(prop))
    .map((prop) => prop.replace(/[A-Z]/g, '-$&').toLowerCase())
  expect(new Set(hyphenated)).toEqual(flags)
})
