import { readFileSync } from 'node:fs'
import { kindByForm } from './src/neu/kindByForm.ts'
import { allFunctions, availableFunctions, type Entry, groups, missingFunctions } from './src/neu/table/index.ts'

const folder = 'packages/runtime/src/neu'
const header = '// Generated from the table of functions by `npm run generate`.\n'

/** Generates what the page and the guides need of the table of functions. */
export default function generate(): Record<string, string> {
  return {
    [`${folder}/names.generated.ts`]: names(),
    [`${folder}/functionNames.generated.ts`]: functionNames(),
    [`${folder}/kindsOfMissing.generated.ts`]: kindsOfMissing(),
    [`${folder}/services.generated.ts`]: services(),
    ...Object.fromEntries(Object.keys(titles).map((path) => [path, guide(path)])),
  }
}

const available = Object.entries(availableFunctions)
const modulesOfNeu = ['start', 'storage', 'system', 'objects']

/** Returns the module that adds a function to `neu`; most are loaded with all other services. */
const addedBy = ({ kind, module }: Entry) => (kind !== 'async' && modulesOfNeu.includes(module!) ? module! : 'services')

/** The names that each module adds to `neu`. */
export function namesByModule(): Record<string, string[]> {
  const namesOf = (module: string) => available.flatMap(([name, entry]) => (addedBy(entry) === module ? [name] : []))
  return {
    serviceNames: namesOf('services'),
    startNames: namesOf('start'),
    storageNames: namesOf('storage'),
    systemNames: namesOf('system'),
    answerNames: available.flatMap(([name, { kind, module }]) =>
      kind === 'async' && module === 'system' ? [name] : [],
    ),
    objectNames: namesOf('objects'),
  }
}

function names(): string {
  const lists = Object.entries(namesByModule()).map(
    ([list, words]) => `export const ${list}: readonly string[] = ${split(words)}\n`,
  )
  return `${header}
/*
 * Names by the module that adds the functions to \`neu\`. \`answerNames\` are services that \`system.ts\` answers
 * before the others are loaded.
 */

${lists.join('\n')}`
}

/** Writes words as a text, which is shorter in the page than a list. */
function split(words: readonly string[]): string {
  const lines = wrapped(words, 112)
  if (lines.length === 1) return `'${lines[0]}'.split(' ')`
  return `(\n${lines.map((line, index) => `  '${line}${index < lines.length - 1 ? " ' +" : "'"}`).join('\n')}\n).split(' ')`
}

function wrapped(words: readonly string[], width: number): string[] {
  const lines = ['']
  for (const each of words) {
    if (`${lines.at(-1)} ${each}`.length > width) lines.push('')
    lines.push(`${lines.pop()} ${each}`.trim())
  }
  return lines
}

/**
 * Functions of one word that other modules do not add, since the form of longer names tells that they are functions;
 * and those that return a task.
 */
function functionNames(): string {
  const words = Object.entries(allFunctions).flatMap(([name, { kind }]) =>
    /^[a-z\d]+$/.test(name) && (kind === 'async' || kind === 'event') ? [name] : [],
  )
  const tasks = available.flatMap(([name, { task }]) => (task ? [name] : []))
  return `${header}export const oneWordNames = ${anyOf(words.sort())}
export const taskNames = ${anyOf(tasks)}
`
}

const anyOf = (words: readonly string[]) => `/^(?:${words.join('|')})$/`

/** Lists missing functions that are not of the kind that the form of their name tells. */
function kindsOfMissing(): string {
  const kinds = Object.entries(missingFunctions).filter(([name, { kind }]) => kind !== kindByForm(name))
  return `${header}import type { kindByForm } from './kindByForm.ts'

export const kindsOfMissing: Readonly<Record<string, ReturnType<typeof kindByForm>>> = {
${kinds.map(([name, { kind }]) => `  ${name}: '${kind}',`).join('\n')}
}
`
}

function services(): string {
  const own = available.filter(([, entry]) => addedBy(entry) === 'services')
  const modules = [...new Set(own.map(([, { module }]) => module!))].sort()
  const isLoadedLater = (module: string) => own.some(([, each]) => each.module === module && each.isLoadedWhenCalled)
  const namesOf = (module: string) => own.flatMap(([name, each]) => (each.module === module ? [name] : []))
  const [later, now] = [modules.filter(isLoadedLater), modules.filter((module) => !isLoadedLater(module))]
  const imports = [...now, 'loadedWhenCalled']
    .sort()
    .map((module) =>
      module === 'loadedWhenCalled'
        ? `import { loadedWhenCalled } from './loadedWhenCalled.ts'`
        : `import * as ${module} from './${module}.ts'`,
    )
  const checked = own.flatMap(([name, { options = {} }]) => {
    const checks = Object.entries(options).flatMap(([option, { checked, isRequired }]) =>
      checked ? [`${option}: '${checked}${isRequired ? '!' : ''}'`] : [],
    )
    return checks.length > 0 ? [`  ${name}: { ${checks.join(', ')} },`] : []
  })
  const withComponent = own.flatMap(([name, { takesComponent }]) => (takesComponent ? [`'${name}'`] : []))
  return `${header}import type { ArgumentType } from './check.ts'
${imports.join('\n')}

${later.map((module) => `const ${module} = loadedWhenCalled(() => import('./${module}.ts'))`).join('\n')}

export const services = {
${modules
  .flatMap((module) =>
    namesOf(module).map((name) =>
      isLoadedLater(module) ? `  ${name}: ${module}('${name}'),` : `  ${name}: ${module}.${name},`,
    ),
  )
  .join('\n')}
}

/** Types of options that are checked when a function is called; \`!\` marks required ones. */
export const checkedOptions: Readonly<Record<string, Readonly<Record<string, ArgumentType>>>> = {
${checked.join('\n')}
}

/** Functions that take a component after their options. */
export const takesComponent: ReadonlySet<string> = new Set([${withComponent.join(', ')}])
`
}

type Group = keyof typeof groups

/** Titles of the groups in each guide. */
const titles: Record<string, Record<Group, string>> = {
  'docs/guides/neu-functions.md': {
    navigation: 'navigation',
    bars: 'bars',
    tabs: 'tabs',
    sideWindows: 'side windows',
    page: 'page',
    account: 'account, payment',
    network: 'network',
    storage: 'storage',
    overlays: 'overlays',
    system: 'system',
    app: 'app',
    device: 'device',
    files: 'files, media',
    canvas: 'canvas',
    events: 'events',
  },
  'docs/zh/guides/neu-functions.md': {
    navigation: '导航',
    bars: '导航栏',
    tabs: '标签页',
    sideWindows: '侧边窗口',
    page: '页面',
    account: '账号、支付',
    network: '网络',
    storage: '存储',
    overlays: '浮层',
    system: '系统',
    app: '应用',
    device: '设备',
    files: '文件、媒体',
    canvas: '画布',
    events: '事件',
  },
  'docs/ar/guides/neu-functions.md': {
    navigation: 'التنقل',
    bars: 'شريط التنقل',
    tabs: 'التبويبات',
    sideWindows: 'النوافذ الجانبية',
    page: 'الصفحة',
    account: 'الحساب والدفع',
    network: 'الشبكة',
    storage: 'التخزين',
    overlays: 'النوافذ العائمة',
    system: 'النظام',
    app: 'التطبيق',
    device: 'الجهاز',
    files: 'الملفات والوسائط',
    canvas: 'لوحة الرسم',
    events: 'الأحداث',
  },
}

/** Fills the rows of the groups in a guide, below the head of the table. */
function guide(path: string): string {
  // Isolated, or the first `$` and the last parenthesis of a list would be on its other side in Arabic.
  const [start, end] = path.startsWith('docs/ar/') ? ['\u2066', '\u2069'] : ['', '']
  const rows = Object.entries(groups).map(
    ([group, functions]) =>
      `| ${titles[path]![group as Group]} | ${start}${listed(Object.keys(functions)).join(', ')}${end} |`,
  )
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  return text.replace(
    /(<!-- generated: functions of neu -->\n\n\|.*\n\|.*\n)[\s\S]*?(\n<!-- \/generated -->)/,
    (_, head: string, end: string) => `${head}${rows.join('\n')}\n${end}`,
  )
}

/** Leaves out the \`off\` half of pairs, and names variants beside their function: \`getStorage(Sync)\`. */
function listed(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (/^off[A-Z]/.test(name)) return []
    if (name.endsWith('Sync') && names.includes(name.replace(/Sync$/, ''))) return []
    return names.includes(`${name}Sync`) ? [`${name}(Sync)`] : [name]
  })
}
