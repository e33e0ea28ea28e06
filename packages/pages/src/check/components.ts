import { type Files, projectPath } from '../files.ts'
import { easycomRules } from '../model.ts'
import { type ObjectNode, type Property, valueAt } from '../parse/nodes.ts'
import { at, type Context, type PageCheck } from './context.ts'

/** Reports rules directly under `easycom`, which are accepted. */
export function checkDirectRules(context: Context): void {
  const { direct } = easycomRules(context.model)
  const first = direct[0]
  if (first === undefined) return
  context.report({
    code: 'easycom-direct',
    ...at(first.key),
    message: `Rules belong under "custom" (pages-json §2.14); ${direct.length === 1 ? 'this one is' : `these ${direct.length} are`} accepted directly under "easycom".`,
  })
}

/** Checks that a rule maps a regular expression to a `.vue` file, with `$1` for the groups (pages-json §2.14). */
export function checkEasycomRules(context: Context): void {
  const { custom, direct } = easycomRules(context.model)
  for (const rule of [...custom, ...direct]) {
    if (rule.value.kind !== 'string') continue
    checkPattern(context, rule, rule.value.value)
    checkTarget(context, rule, rule.value.value)
  }
}

function checkPattern({ report }: Context, { key, value }: Property, target: string): void {
  let groups: number
  try {
    // ReDoS: matches an empty text only.
    groups = new RegExp(`${key.value}|`).exec('')!.length - 1
  } catch {
    report({
      code: 'easycom-pattern',
      ...at(key),
      message: `"${key.value.slice(0, 60)}" is not a valid regular expression: write one that matches tag names, as in "^my-(.*)" (pages-json §2.14).`,
    })
    return
  }
  let used = 0
  for (const [, group] of target.matchAll(/\$(\d{1,2})/g)) used = Math.max(used, Number(group))
  if (used <= groups) return
  const available = groups === 0 ? 'has no group' : groups === 1 ? 'has 1 group' : `has ${groups} groups`
  report({
    code: 'easycom-group',
    ...at(value),
    message: `The target uses $${used}, but its expression ${available}: add a group in parentheses, as in "^my-(.*)" (pages-json §2.14).`,
  })
}

function checkTarget({ report, files }: Context, { value }: Property, target: string): void {
  const isLocal = /^(?:~?@\/|\.?\/)/.test(target)
  const written = /\.(\w+)$/.exec(target)?.[1]
  // A file of the project may be named without its extension, as in uni-app.
  const path = projectPath(written === undefined && isLocal ? `${target}.vue` : target)
  const extension = written ?? (isLocal ? 'vue' : undefined)
  if (extension === 'uvue' || extension === 'vue') {
    if (!isLocal || files === undefined) return
    const folder = folderBeforeGroup(path)
    if (folder !== undefined) {
      if (folder !== '' && !folderExists(files, folder)) {
        report({
          code: 'easycom-file-missing',
          ...at(value),
          message: `The folder "${folder.slice(0, 120)}" does not exist in the project, so this rule finds no component: correct the path, or add the package that belongs there.`,
        })
      }
      return
    }
    if (files.exists(path)) return
    report({
      code: 'easycom-file-missing',
      ...at(value),
      message: `The file "${(written ? target : `${target}.vue`).slice(0, 120)}" does not exist in the project.`,
    })
    return
  }
  const what = extension === undefined ? 'has no extension' : `ends in .${extension}`
  report({
    code: 'easycom-target',
    ...at(value),
    message: `Only .vue components are imported automatically (pages-json §2.14); this target ${what}.`,
  })
}

/** Returns the folder that does not depend on a group of the expression; undefined if the target has no group. */
function folderBeforeGroup(target: string): string | undefined {
  const group = target.indexOf('$')
  return group < 0 ? undefined : target.slice(0, Math.max(0, target.lastIndexOf('/', group)))
}

/** Returns whether a folder exists. Without `list`, every folder does. */
function folderExists({ list }: Files, folder: string): boolean {
  if (list === undefined) return true
  const slash = folder.lastIndexOf('/')
  return list(folder.slice(0, Math.max(0, slash))).includes(folder.slice(slash + 1))
}

/** Checks that the components of a page or of globalStyle have a file (pages-json §2.3). Packages are not read. */
export const checkUsingComponents: PageCheck =
  ({ files, report }) =>
  (style, page) => {
    const components = valueAt(style, 'usingComponents')
    if (files === undefined || components?.kind !== 'object') return
    const folder = page ? page.path.slice(0, page.path.lastIndexOf('/') + 1) : ''
    for (const { key, value } of (components as ObjectNode).properties) {
      if (value.kind !== 'string' || !/^(?:~?@\/|\.{0,2}\/)/.test(value.value)) continue
      const isRelative = value.value.startsWith('.')
      const path = isRelative ? joinPath(folder, value.value) : projectPath(value.value)
      if (componentExtensions.some((extension) => files.exists(path + extension))) continue
      report({
        code: 'component-file-missing',
        ...at(value),
        message: `The component "${key.value.slice(0, 60)}" has no file: there is no "${path.slice(0, 120)}.vue". Create it, or correct the path.`,
      })
    }
  }

/** Files of a component, whose path is written with or without extension. Those of other tools are `.js`. */
const componentExtensions = ['', '.vue', '.nvue', '.uvue', '.js', '/index.vue']

function joinPath(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${folder}${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
