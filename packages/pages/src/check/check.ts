import type { PagesConfig, Reading } from '../config.ts'
import { type Diagnostic, type Finding, type Platform, platforms } from '../diagnostic.ts'
import type { Files } from '../files.ts'
import type { Property } from '../parse/nodes.ts'
import { checkAttributes } from './attributes.ts'
import {
  checkBackgroundRepeat,
  checkBadges,
  checkContrast,
  checkHiddenBars,
  checkRefreshPrecedence,
  checkTitleImages,
} from './bars.ts'
import { codes } from './codes.ts'
import { checkDirectRules, checkEasycomRules } from './components.ts'
import { at, type Check, type Context, suggester, type Targets } from './context.ts'
import { checkBarFiles, checkFontIcons, checkTabImages, checkTitleImageFiles } from './images.ts'
import {
  checkDuplicates,
  checkNvueAttributes,
  checkPageFiles,
  checkPagesNotEmpty,
  checkPaths,
  checkWindowSwitches,
} from './pages.ts'
import { checkSideWindows } from './sideWindows.ts'
import { checkCurrentMode, checkModePages } from './startModes.ts'
import { checkSubWindowIds, checkSubWindowOffsets, checkSubWindowParts, checkSubWindowPaths } from './subWindows.ts'
import { checkMidButton, checkTabCount, checkTabIcons, checkTabPages } from './tabs.ts'

/** What the tables say comes first; then each rule of the document's prose, one function each. */
const checks: readonly Check[] = [
  checkAttributes,
  checkPagesNotEmpty,
  checkDuplicates,
  checkPaths,
  checkPageFiles,
  checkNvueAttributes,
  checkHiddenBars,
  checkContrast,
  checkTitleImages,
  checkTitleImageFiles,
  checkBadges,
  checkBackgroundRepeat,
  checkBarFiles,
  checkFontIcons,
  checkRefreshPrecedence,
  checkTabCount,
  checkTabPages,
  checkTabIcons,
  checkTabImages,
  checkMidButton,
  checkSubWindowIds,
  checkSubWindowParts,
  checkSubWindowPaths,
  checkSubWindowOffsets,
  checkSideWindows,
  checkWindowSwitches,
  checkDirectRules,
  checkEasycomRules,
  checkCurrentMode,
  checkModePages,
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

  for (const finding of config.conditionals) add(finding, platforms)
  const suggest = suggester()
  const idle = new Map<
    number,
    { property: Property; works: readonly Platform[]; section: string; concerned: Set<Platform> }
  >()
  const working = new Set<number>()
  for (const reading of config.readings) {
    for (const finding of reading.syntax) add(finding, reading.platforms)
    const context: Context = {
      config,
      reading,
      model: reading.model,
      platforms: reading.platforms,
      files,
      targets,
      hasTargets: Object.keys(targets).length > 0,
      suggest,
      report: (finding, concerned = reading.platforms) =>
        add(finding, concerned === reading.platforms ? concerned : both(reading, concerned)),
      reportPlatform(property, works, section) {
        // One reading for all builds: some of them have the platform.
        if (config.readings.length === 1) return
        const { offset } = property.key
        if (both(reading, works).length > 0) working.add(offset)
        const known = idle.get(offset)
        if (known) for (const platform of reading.platforms) known.concerned.add(platform)
        else idle.set(offset, { property, works, section, concerned: new Set(reading.platforms) })
      },
    }
    for (const run of checks) run(context)
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

const both = (reading: Reading, concerned: readonly Platform[]) =>
  concerned.filter((platform) => reading.platforms.includes(platform))

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
