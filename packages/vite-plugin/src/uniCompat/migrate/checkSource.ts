import { droppedBlocks, type Platform, platforms, sourceFor } from '@souk/pages'
import { runtimeModule } from '../packageNames.ts'
import { alternatives, bundledPackages, nativeModules } from './ecosystem.ts'
import type { Facts, Member } from './facts.ts'
import type { Findings, Report } from './findings.ts'
import type { Source } from './sources.ts'
import { exportedFromUniApp, functionSupport, hookSupport } from './support.ts'
import { tagSupport } from './tagSupport.ts'
import type { TagUse } from './template.ts'

/** Facts about the project that the checks of a source need. */
export interface CheckContext {
  readonly findings: Findings
  /** Path of a source in the report. */
  nameOf(path: string): string
  /** Members of `uni` that the project defines itself, such as `uni.$u`. */
  readonly assigned: ReadonlySet<string>
  readonly isVue2: boolean
  /** Returns whether the file is a page or App.vue, whose hooks are called. */
  isPage(path: string): boolean
}

/** Adds the findings of a source on one platform. */
export function checkSource(source: Source, platform: Platform, facts: Facts, context: CheckContext): void {
  const file = context.nameOf(source.path)
  const add = ({ isAutomatic = false, ...report }: Omit<Report, 'file'>) =>
    context.findings.add(
      { platforms: [platform], ...report, file, isAutomatic: isAutomatic && !isOutside(file) },
      source.text,
    )
  if (facts.error) {
    const { message, offset } = facts.error
    add({ section: 'change', subject: 'syntax', message: message.split('\n')[0]!, offset })
  }
  for (const member of facts.members) checkMember(member, platform, facts, context, add)
  const isNative = /\.[nu]vue$/.test(source.path)
  for (const tag of facts.tags) if (!isImported(tag.name, facts)) checkTag(tag, isNative, platform, add)
  for (const { name, offset, names } of facts.imports) checkImport(name, names, offset, platform, add)
  // Code of Vue 2 in a project for Vue 3 has no effect in uni-app either.
  if (context.isVue2) checkVue2(facts, add)
  // The component of a custom tab bar has the function, and others may define it.
  const hasSetData = file.includes('custom-tab-bar/') || /(?<![.\w])setData\s*[(:=]/.test(source.text)
  for (const { offset } of facts.instance.filter(({ name }) => name === 'setData' && !hasSetData)) {
    const message = 'missing unless the project adds it to all components: assign to the properties, this.text = text'
    add({ section: 'differs', subject: 'this.setData', message, offset })
  }
  for (const { name, offset } of facts.options) {
    if (!context.isPage(source.path) || !hookSupport(name)?.missing.includes(platform)) continue
    add({ section: 'missing', subject: name, message: 'this hook is never called', offset })
  }
}

/** Returns whether a path relative to the project's folder is outside of it. Such files are not written. */
export const isOutside = (file: string): boolean => file.startsWith('../')

type Add = (report: Omit<Report, 'file'>) => void

function checkMember(
  { object, name, offset, module }: Member,
  platform: Platform,
  facts: Facts,
  context: CheckContext,
  add: Add,
): void {
  const whole = `${object}.${name}`
  if (facts.tested.has(whole) || context.assigned.has(whole)) return
  const isNative = object === 'plus'
  // `weex` is not there at all.
  const isDom = module === 'dom' && object !== 'weex'
  if ((module !== undefined && !isDom) || object === 'weex') {
    const subject = module === undefined ? whole : `${whole}('${module}')`
    const instead = nativeModules.get(module ?? '')
    add({ section: 'missing', subject, message: `native only${instead ? `: ${instead}` : ''}`, offset })
  } else if (isNative || object === 'uniCloud') {
    const instead = alternatives[isNative ? whole : object]
    const subject = isNative ? whole : object
    const message = `not available${instead ? `: ${instead}` : ''}`
    // Other builds of uni-app do not have plus either, so that such code is not reached there.
    if (!isNative || platform === 'App') add({ section: 'missing', subject, message, offset })
  } else if (/Storage$/.test(object)) {
    if (platform === 'H5') return
    const message = 'not available in the frame of a host: use uni.setStorageSync() and uni.getStorageSync()'
    add({ section: 'missing', subject: object, message, offset })
  } else {
    const support = functionSupport(name)
    if (support?.missing.includes(platform))
      add({
        section: 'missing',
        subject: whole,
        message: `not available${support.why ? `: ${support.why}` : ''}`,
        offset,
      })
    else if (support?.differs) add({ section: 'differs', subject: whole, message: support.differs, offset })
  }
}

/** Returns whether the file imports a component of this name. */
const isImported = (tag: string, { declared }: Facts) => {
  const camel = tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return declared.has(camel) || declared.has(camel.charAt(0).toUpperCase() + camel.slice(1))
}

function checkTag({ name: tag, offset, mode }: TagUse, isNative: boolean, platform: Platform, add: Add): void {
  if (tag === 'wxs') {
    const message = 'has no effect in a template: move it beside the template, <wxs module="…" src="…" />'
    add({ section: 'change', subject: '<wxs>', message, offset })
  }
  const support = tagSupport(tag, mode, isNative)
  if (support?.missing.includes(platform)) {
    add({ section: 'missing', subject: `<${tag}>`, message: 'not available: only its content is drawn', offset })
  } else if (support?.differs) add({ section: 'differs', subject: `<${tag}>`, message: support.differs, offset })
}

function checkImport(name: string, names: readonly string[], offset: number, platform: Platform, add: Add): void {
  if (/^weex-/.test(name)) {
    const instead = nativeModules.get(name.slice('weex-'.length))
    add({ section: 'missing', subject: name, message: `native only${instead ? `: ${instead}` : ''}`, offset })
  }
  if (runtimeModule(name) === '@souk/runtime/uniApp') {
    for (const each of names.filter((it) => hookSupport(it)?.missing.includes(platform))) {
      add({ section: 'missing', subject: each, message: 'this hook is never called', offset })
    }
    for (const each of names.filter((it) => it !== 'default' && !exportedFromUniApp.has(it))) {
      add({
        section: 'change',
        subject: each,
        message: `not exported by ${name} here: remove the import`,
        offset,
      })
    }
  }
  if (name === 'vue' && names.includes('default')) {
    const message = 'vue has no default export in Vue 3: create the app with createSSRApp'
    add({ section: 'change', subject: 'Vue 2', message, offset })
  }
}

/** Options of Vue 2 by their name in Vue 3. */
export const renamedOptions: Readonly<Record<string, string>> = {
  beforeDestroy: 'beforeUnmount',
  destroyed: 'unmounted',
}

const removedSyntax: Readonly<Record<string, string>> = {
  filter: 'Vue 3 has no filters: call a method',
  functional: 'Vue 3 has no functional templates: remove the attribute',
  native: 'Vue 3 has no .native: remove it, and declare other events in emits',
  slot: 'Vue 3 ignores slot="…": use <template #name>',
  'slot-scope': 'Vue 3 ignores slot-scope: use <template #name="scope">',
  sync: 'Vue 3 has no .sync: use v-model:name',
}

const removedOptions: Readonly<Record<string, string>> = {
  filters: 'Vue 3 has no filters: use methods',
  model: 'Vue 3 has no model option: use modelValue and update:modelValue',
}

const removedInstance: Readonly<Record<string, string>> = {
  $delete: 'use delete',
  $on: 'use uni.$on',
  $once: 'use uni.$once',
  $off: 'use uni.$off',
  $children: 'use refs, or provide and inject',
  $listeners: 'use $attrs',
  $scopedSlots: 'use $slots',
}

function checkVue2({ directives, options, instance }: Facts, add: Add): void {
  const change = (subject: string, message: string, offset: number, isAutomatic = false) =>
    add({ section: 'change', subject, message, offset, isAutomatic })
  for (const { name, offset } of directives) {
    change(name, removedSyntax[name]!, offset, name === 'sync')
  }
  for (const { name, offset } of options) {
    const renamed = Object.hasOwn(renamedOptions, name) ? renamedOptions[name] : undefined
    if (renamed && options.some((each) => each.name === renamed)) continue
    if (renamed) change(name, `Vue 3 calls ${renamed} instead`, offset, true)
    else if (Object.hasOwn(removedOptions, name)) change(name, removedOptions[name]!, offset)
  }
  for (const { name, offset } of instance.filter((each) => Object.hasOwn(removedInstance, each.name)))
    change(`this.${name}`, `Vue 3 does not have it: ${removedInstance[name]}`, offset)
}

/** Compilers by the language of a block. */
const compilers: Readonly<Record<string, string>> = {
  scss: 'sass',
  sass: 'sass',
  less: 'less',
  stylus: 'stylus',
  styl: 'stylus',
}

/** Returns the package that compiles a language, if the project has to install one. */
export const compilerOf = (language: string): string | undefined =>
  Object.hasOwn(compilers, language) ? compilers[language] : undefined

export const isBundled = (name: string): boolean => Object.hasOwn(bundledPackages, name)

/** Directives with a condition, such as `// #ifdef MP-WEIXIN`. */
const condition = /(?:\/\/|\/\*|<!--)[ \t]*#ifdef[ \t]+([\w|&!() \t-]+)/g

/** Reports blocks that the build for a platform drops without another branch, except those of libraries. */
export function checkDropped(
  { path, text }: Pick<Source, 'path' | 'text'>,
  platform: Platform,
  { findings, nameOf }: Pick<CheckContext, 'findings' | 'nameOf'>,
): void {
  if (/(?:^|\/)(?:node|uni)_modules\//.test(path)) return
  for (const { offset, condition, keptBy } of droppedBlocks(text, platform)) {
    const message = `left out, without a branch for ${platform}: kept by ${keptBy.join(' and ')} only`
    const report = { subject: condition, message, file: nameOf(path), offset }
    findings.add({ section: 'differs', platforms: [platform], ...report }, text)
  }
}

/** Reports blocks for the mini programs of other hosts, which no build contains. */
export function checkConditions({ path, text }: Source, { findings, nameOf }: CheckContext): void {
  for (const match of text.matchAll(condition)) {
    const expression = match[1]!.replace(/--$/, '').trim()
    if (!/\bMP-/.test(expression) || isBuilt(expression)) continue
    const message = 'blocks for other mini programs only are left out: add MP-NEU where Mini App needs them'
    const report = { subject: '#ifdef MP-…', message, file: nameOf(path), offset: match.index }
    findings.add({ section: 'differs', platforms: ['Mini App'], ...report }, text)
  }
}

const known = new Map<string, boolean>()

function isBuilt(expression: string): boolean {
  const found = known.get(expression)
  if (found !== undefined) return found
  const block = `// #ifdef ${expression}\nincluded\n// #endif\n`
  const systems = ['Android', 'iOS'] as const
  const is = platforms.some((platform) =>
    systems.some((os) => sourceFor(block, platform, os).text.includes('included')),
  )
  known.set(expression, is)
  return is
}
