import { droppedBlocks, droppedMessage } from '../conditional/dropped.ts'
import { type PagesConfig, readPages, type Variant } from '../config.ts'
import { type Diagnostic, type Finding, type Platform, platforms } from '../diagnostic.ts'
import type { Files } from '../files.ts'
import { followsDevice } from '../names.ts'
import { checkAttributes } from './attributes.ts'
import {
  checkBars,
  checkContrast,
  checkHiddenBar,
  checkRefreshPrecedence,
  checkRefreshTextStyle,
  checkTitleImage,
} from './bars.ts'
import { checkDirectRules, checkEasycomRules, checkUsingComponents } from './components.ts'
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
import { checkCustomTabBar, checkMidButton, checkTabCount, checkTabIcons, checkTabPages } from './tabs.ts'

/** Checks of the whole file: the rule table first, then the rules that pages-json states in prose. */
const checks: readonly Check[] = [
  checkAttributes,
  checkPagesNotEmpty,
  checkPackageRoots,
  checkDuplicates,
  checkTabCount,
  checkTabPages,
  checkCustomTabBar,
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
  checkUsingComponents,
  checkHiddenBar,
  checkContrast,
  checkTitleImage,
  checkTitleImageFile,
  checkBars,
  checkRefreshPrecedence,
  checkRefreshTextStyle,
  checkSubWindows,
]

export type CheckOptions = {
  /** The project's files. Without them, checks that need files are skipped. */
  readonly files?: Files
  /** The oldest supported versions. Without them, attributes of every version are accepted. */
  readonly targets?: Targets
  /**
   * The platform of a build: attributes and blocks that are written for others only are reported, too (`key-platform`,
   * `conditional-dropped`).
   */
  readonly build?: Platform
}

/**
 * Checks a file and returns its diagnostics, sorted by offset. Each variant of the file is checked; equal findings of
 * several variants become one diagnostic. Never throws, and takes time linear in the length of the text.
 */
export function check(config: PagesConfig, options: CheckOptions = {}): Diagnostic[] {
  const found = diagnosticsOf(config, options)
  const themes = Object.values(config.names?.themes ?? {})
  if (config.theme === 'dark' || !themes.some(followsDevice)) return found
  const dark = diagnosticsOf(readPages(config.text, { files: options.files, theme: 'dark' }), options)
  const known = new Set(found.map(({ code, offset }) => `${code} ${offset}`))
  const added = dark.filter(({ code, offset }) => !known.has(`${code} ${offset}`))
  return [...found, ...added].sort((a, b) => a.offset - b.offset || b.length - a.length)
}

/** Checks a file in one theme. */
function diagnosticsOf(config: PagesConfig, options: CheckOptions): Diagnostic[] {
  const findings = new Findings(config)
  const contextFor = contextFactory(config, options, findings)
  for (const finding of config.preliminary) findings.add(finding, platforms)
  const { build } = options
  for (const block of build ? droppedBlocks(config.text, build) : []) {
    const { offset, length } = block
    findings.add({ code: 'conditional-dropped', offset, length, message: droppedMessage(block, build!) }, [build!])
  }
  const groups = groupPages(config.variants).map((group) => ({ ...group, context: contextFor(group.variants) }))
  const groupOf = new Map(groups.flatMap((group) => group.pages.map(({ node }) => [node, group])))
  for (const variant of config.variants) {
    for (const finding of variant.syntax)
      findings.add(withoutFixAcrossBlocks(config, variant, finding), variant.platforms)
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

/** Adds the value to a finding whose value is in another file, where a fix of pages.json cannot change it. */
function withOrigin({ origins }: Variant, finding: Finding): Finding {
  const origin = origins.get(finding.offset)
  if (origin === undefined) return finding
  const { fix: _, message, ...rest } = finding
  return { ...rest, message: `${message} ${origin}` }
}

/** Returns a function that creates the context for checking what some variants have in common. */
function contextFactory(config: PagesConfig, { files, targets = {}, build }: CheckOptions, findings: Findings) {
  const suggest = createSuggester()
  const hasTargets = Object.keys(targets).length > 0
  return (variants: readonly Variant[], contextOf?: Context['contextOf']): Context => {
    const { root, model } = variants[0]!
    const seenBy = [...new Set(variants.flatMap((variant) => variant.platforms))]
    const context: Context = {
      config,
      root,
      model,
      platforms: seenBy,
      files,
      targets,
      hasTargets,
      build,
      suggest,
      report(finding, affected) {
        const affectedHere = affected?.filter((platform) => seenBy.includes(platform)) ?? seenBy
        findings.add(withOrigin(variants[0]!, finding), affectedHere, variants)
      },
      reportPlatform(property, works, section) {
        // A single variant contains every platform, and a build has findings of its own.
        if (config.variants.length > 1 && build === undefined) findings.addRestricted(property, works, section, seenBy)
      },
      contextOf: contextOf ?? (() => context),
    }
    return context
  }
}

/** Leaves out the fix for a missing bracket if a block begins or ends before it: other builds need it elsewhere. */
function withoutFixAcrossBlocks({ blocks }: PagesConfig, { text }: Variant, finding: Finding): Finding {
  if (finding.code !== 'syntax-bracket-missing') return finding
  const { fix: _, ...rest } = finding
  const colon = text.lastIndexOf(':', finding.offset)
  const isBetween = (offset: number) => offset > colon && offset <= finding.offset
  return blocks.some(({ offset, end }) => isBetween(offset) || isBetween(end)) ? rest : finding
}
