import type { PagesConfig, Variant } from '../config.ts'
import { type Diagnostic, type Platform, platforms } from '../diagnostic.ts'
import type { Files } from '../files.ts'
import { checkAttributes } from './attributes.ts'
import { checkBars, checkContrast, checkHiddenBar, checkRefreshPrecedence, checkTitleImage } from './bars.ts'
import { checkDirectRules, checkEasycomRules } from './components.ts'
import { type Check, type Context, createSuggester, type PageCheck, type Targets } from './context.ts'
import { Findings } from './findings.ts'
import { checkTabFontIcons, checkTabImages, checkTitleImageFile } from './images.ts'
import { groupPages } from './pageGroups.ts'
import {
  checkDuplicates,
  checkNvueAttributes,
  checkPackageRoots,
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
  checkPackageRoots,
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
 * Everything that can be said about a file, sorted by place. Each build sees its own variant of the conditional comments; what
 * several of them find is one diagnostic. Never throws, and takes time in proportion to the text.
 */
export function check(config: PagesConfig, { files, targets = {} }: CheckOptions = {}): Diagnostic[] {
  const findings = new Findings()
  const suggest = createSuggester()
  const hasTargets = Object.keys(targets).length > 0
  /** For what all of some variants see. */
  const contextFor = (variants: readonly Variant[], contextOf: Context['contextOf'] | undefined): Context => {
    const { root, model } = variants[0]!
    const seenBy = [...new Set(variants.flatMap((variant) => variant.platforms))]
    const both = (concerned: readonly Platform[]) => concerned.filter((platform) => seenBy.includes(platform))
    const context: Context = {
      config,
      root,
      model,
      platforms: seenBy,
      files,
      targets,
      hasTargets,
      suggest,
      report: (finding, concerned) => findings.add(finding, concerned ? both(concerned) : seenBy),
      reportPlatform(property, works, section) {
        // One variant for all builds: some of them have the platform.
        if (config.variants.length > 1) findings.addRestricted(property, works, section, seenBy)
      },
      contextOf: contextOf ?? (() => context),
    }
    return context
  }

  for (const finding of config.conditionals) findings.add(finding, platforms)
  const groups = groupPages(config.variants).map((group) => ({
    ...group,
    context: contextFor(group.variants, undefined),
  }))
  const groupOf = new Map(groups.flatMap((group) => group.pages.map(({ node }) => [node, group])))
  for (const variant of config.variants) {
    for (const finding of variant.syntax) findings.add(finding, variant.platforms)
    const context = contextFor([variant], (page) => {
      const group = groupOf.get(page)
      if (!group?.variants.includes(variant)) return context
      return group.variants[0] === variant ? group.context : undefined
    })
    for (const run of checks) run(context)
    for (const prepare of pageChecks) prepare(context)(variant.model.globalStyle, undefined)
  }
  for (const { context, pages } of groups) {
    const runs = pageChecks.map((prepare) => prepare(context))
    for (const page of pages) for (const run of runs) run(page.style, page)
  }
  return findings.diagnostics()
}
