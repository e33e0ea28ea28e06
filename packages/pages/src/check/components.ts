import { projectPath } from '../files.ts'
import { easycomRules } from '../model.ts'
import type { Property } from '../parse/nodes.ts'
import { at, type Context } from './context.ts'

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
  const extension = /\.(\w+)$/.exec(target)?.[1]
  if (extension === 'uvue' || extension === 'vue') {
    const isLocal = /^(?:@\/|\.?\/)/.test(target)
    if (!isLocal || target.includes('$') || files === undefined || files.exists(projectPath(target))) return
    report({
      code: 'easycom-file-missing',
      ...at(value),
      message: `The file "${target.slice(0, 120)}" does not exist in the project.`,
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
