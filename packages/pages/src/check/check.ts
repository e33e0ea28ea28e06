import type { PagesConfig, Reading } from '../config.ts'
import { type Diagnostic, type Finding, type Platform, platforms } from '../diagnostic.ts'
import type { Files } from '../files.ts'
import type { ObjectNode, Property } from '../parse/nodes.ts'
import { checkAttributes } from './attributes.ts'
import { checkBars, checkContrast, checkHiddenBar, checkRefreshPrecedence, checkTitleImage } from './bars.ts'
import { codes } from './codes.ts'
import { checkDirectRules, checkEasycomRules } from './components.ts'
import { at, type Check, type Context, type PageCheck, suggester, type Targets } from './context.ts'
import { groupPages } from './groups.ts'
import { checkTabFontIcons, checkTabImages, checkTitleImageFile } from './images.ts'
import {
  checkDuplicates,
  checkNvueAttributes,
  checkPageFile,
  checkPagesNotEmpty,
  checkPath,
  checkWindowSwitches,
} from './pages.ts'
import { checkSideWindows } from './sideWindows.ts'
import { checkCurrentMode, checkModePages } from './startModes.ts'
import { checkSubWindowIds, checkSubWindows } from './subWindows.ts'
import { checkMidButton, checkTabCount, checkTabIcons, checkTabPages } from './tabs.ts'

/** What the tables say comes first; then each rule of the document's prose, one function each. */
const checks: readonly Check[] = [
  checkAttributes,
  checkPagesNotEmpty,
  checkDuplicates,
  checkTabCount,
  checkTabPages,
  checkTabIcons,
  checkTabImages,
  checkTabFontIcons,
  checkMidButton,
  checkSubWindowIds,
  checkSideWindows,
  checkWindowSwitches,
  checkDirectRules,
  checkEasycomRules,
  checkCurrentMode,
  checkModePages,
]

const pageChecks: readonly PageCheck[] = [
  checkPath,
  checkPageFile,
  checkNvueAttributes,
  checkHiddenBar,
  checkContrast,
  checkTitleImage,
  checkTitleImageFile,
  checkBars,
  checkRefreshPrecedence,
  checkSubWindows,
]

export type CheckOptions = {
  /** The project's files; without them nothing is said about files. */
  readonly files?: Files
  /** The oldest versions to run on; without them every attribute counts as known. */
  readonly targets?: Targets
}

/**
 * Everything that can be said about a file, sorted by place. Each build sees its own reading of the conditional comments; what
 * several of them find is one diagnostic. Never throws, and takes time in proportion to the text.
 */
export function check(config: PagesConfig, { files, targets = {} }: CheckOptions = {}): Diagnostic[] {
  const found = new Map<string, { finding: Finding; concerned: Set<Platform> }>()
  const add = (finding: Finding, concerned: readonly Platform[]) => {
    if (concerned.length === 0) return
    const key = `${finding.code} ${finding.offset} ${finding.length} ${finding.message}`
    const known = found.get(key)
    if (known === undefined) found.set(key, { finding, concerned: new Set(concerned) })
    else for (const platform of concerned) known.concerned.add(platform)
  }

  const suggest = suggester()
  const idle = new Map<
    number,
    { property: Property; works: readonly Platform[]; section: string; concerned: Set<Platform> }
  >()
  const working = new Set<number>()
  const contextFor = (
    readings: readonly Reading[],
    contextOf: (page: ObjectNode, own: Context) => Context | undefined,
  ) => {
    const seenBy = [...new Set(readings.flatMap((reading) => reading.platforms))]
    const both = (concerned: readonly Platform[]) => concerned.filter((platform) => seenBy.includes(platform))
    const context: Context = {
      config,
      root: readings[0]!.root,
      model: readings[0]!.model,
      platforms: seenBy,
      files,
      targets,
      hasTargets: Object.keys(targets).length > 0,
      suggest,
      report: (finding, concerned) => add(finding, concerned === undefined ? seenBy : both(concerned)),
      reportPlatform(property, works, section) {
        // One reading for all builds: some of them have the platform.
        if (config.readings.length === 1) return
        const { offset } = property.key
        const known = idle.get(offset)
        if (works.some((platform) => seenBy.includes(platform))) working.add(offset)
        else if (known) for (const platform of seenBy) known.concerned.add(platform)
        else idle.set(offset, { property, works, section, concerned: new Set(seenBy) })
      },
      contextOf: (page) => contextOf(page, context),
    }
    return context
  }

  for (const finding of config.conditionals) add(finding, platforms)
  const groups = groupPages(config.readings).map((group) => ({
    ...group,
    context: contextFor(group.readings, (_, own) => own),
  }))
  const groupOf = new Map(
    config.readings.length === 1 ? [] : groups.flatMap((group) => group.pages.map(({ node }) => [node, group])),
  )
  for (const reading of config.readings) {
    for (const finding of reading.syntax) add(finding, reading.platforms)
    const context = contextFor([reading], (page, own) => {
      const group = groupOf.get(page)
      if (!group?.readings.includes(reading)) return own
      return group.readings[0] === reading ? group.context : undefined
    })
    for (const run of checks) run(context)
    for (const prepare of pageChecks) prepare(context)(reading.model.globalStyle, undefined)
  }
  for (const { context, pages } of groups) {
    const runs = pageChecks.map((prepare) => prepare(context))
    for (const page of pages) for (const run of runs) run(page.style, page)
  }
  for (const [offset, { property, works, section, concerned }] of idle) {
    if (working.has(offset)) continue
    const message = `"${property.key.value}" has no effect here: it works on ${works.join(' and ')} (§${section}), and this block is only for ${[...concerned].join(' and ')}.`
    add({ code: 'key-platform', ...at(property.key), message }, [...concerned])
  }

  return [...found.values()]
    .map(({ finding, concerned }) => toDiagnostic(finding, concerned))
    .sort((a, b) => a.offset - b.offset || b.length - a.length)
}

function toDiagnostic(
  { code, offset, length, message, fix, related }: Finding,
  concerned: ReadonlySet<Platform>,
): Diagnostic {
  return {
    code,
    severity: codes[code][0],
    offset,
    length,
    message,
    platforms: platforms.filter((platform) => concerned.has(platform)),
    ...(fix && { fix }),
    ...(related && { related }),
  }
}
