import { kindByForm } from './src/neu/kindByForm.ts'
import { allFunctions, availableFunctions, type Entry, missingFunctions } from './src/neu/table/index.ts'

const folder = 'packages/runtime/src/neu'
const header = '// Generated from the table of functions by `npm run generate`.\n'

/** Generates what the page needs of the table of functions. */
export default function generate(): Record<string, string> {
  return {
    [`${folder}/names.generated.ts`]: names(),
    [`${folder}/functionNames.generated.ts`]: functionNames(),
    [`${folder}/kindsOfMissing.generated.ts`]: kindsOfMissing(),
    [`${folder}/services.generated.ts`]: services(),
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
