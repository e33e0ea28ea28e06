import { resolve } from 'node:path'
import type { Platform } from '@souk/pages'
import type { Finding, Migration, Section } from '@souk/vite-plugin'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { buildTool, describePlatform, failureOf, platformOf } from '../miniApps.ts'
import { counted, plain, type Style } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { type Trial, tryProject } from '../trial/trial.ts'
import { platformOption } from './arguments.ts'

/** `souk migrate`: reports what a uni-app project has to change for Souk; needs no server. */
export function addMigrateCommand(program: Command, add: AddCommand): void {
  add<[string], { platform?: Platform; write?: true; force?: true; try?: true; all?: true }>(program, {
    usage: 'migrate <folder>',
    examples: [
      'migrate my-app',
      'migrate my-app --platform H5 --all',
      'migrate my-app --try',
      'migrate my-app --write --json',
    ],
    options: (command) =>
      command
        .addOption(platformOption())
        .option('--write', 'make the safe changes, then report the rest; fails if git could not restore the files')
        .option('--force', 'with --write: write even if git could not restore the files')
        .option(
          '--try',
          'build the project in a temporary folder and open its first page in Chromium: the one of CHROMIUM, or the installed one',
        )
        .option('--all', 'list all findings with all their places, not just the first page'),
    action: async (session, { platform, write, force, try: tries, all }, folder) => {
      const { environment, print, style } = session
      const { migrate, writeChanges, ProjectError, TooLarge, UnsafeWrite } = await buildTool()
      const project = resolve(environment.folder, folder)
      const options = { project, ...(platform && { platforms: [platform] }) }
      const attempt = async () =>
        tryProject(project, (await platformOf(session, folder, platform)).platform, environment.chromium())
      let trial: Trial | undefined
      try {
        const first = await migrate(options).catch(async (error: unknown) => {
          // A build writes a pages.json that is generated.
          if (!tries || !(error instanceof ProjectError && error.advice)) throw error
          trial = await attempt()
          return migrate(options)
        })
        if (write) await writeChanges(first.folder, first.changes, force === true)
        const migration = write && first.changes.length > 0 ? await migrate(options) : first
        if (tries) trial ??= await attempt()
        const verdict = verdictOf(migration, trial)
        const { changes, ...report } = migration
        const listed = (write ? first : migration).changes.map(({ file, titles }) => ({ file: plain(file), titles }))
        print({ verdict, ...report, ...(write ? { written: listed } : { safeChanges: listed }) }, () =>
          [
            render(migration, { written: write ? listed : undefined, all: all === true }, style),
            '',
            ...renderVerdict(verdict, migration, trial, style),
          ].join('\n'),
        )
        return verdict.result === 'does-not-run' ? 1 : 0
      } catch (error) {
        if (error instanceof ProjectError || error instanceof TooLarge) {
          const advice = error instanceof ProjectError ? error.advice : undefined
          throw new Failure(
            2,
            error.message,
            advice ?? 'Pass the folder of a uni-app project, which contains pages.json.',
          )
        }
        if (error instanceof UnsafeWrite) {
          throw new Failure(1, error.message, 'Nothing was written. Commit or stash the changes, or add --force.')
        }
        // A file cannot be read or written.
        if (error instanceof Error && 'syscall' in error) throw new Failure(2, `${error.message}.`)
        throw failureOf(error)
      }
    },
  })
}

interface Verdict {
  readonly result: 'runs' | 'runs-with-differences' | 'does-not-run'
  /** Whether the first page was opened. Otherwise, the result is what the sources let expect. */
  readonly tried: boolean
  /** Why the project does not run. */
  readonly reasons: readonly string[]
}

/** A build decides about what must be changed; without one, all of it must be. */
function verdictOf({ findings }: Migration, trial: Trial | undefined): Verdict {
  const needed = findings.filter(({ section }) => section === 'change')
  const reasons = trial?.reasons ?? needed.map(({ subject, message }) => `${subject}: ${message}`)
  const result = reasons.length > 0 ? 'does-not-run' : findings.length > 0 ? 'runs-with-differences' : 'runs'
  return { result, tried: trial?.isOpened === true, reasons }
}

/** Reasons in the last lines of a report. The findings list all. */
const mostReasons = 5

function renderVerdict(
  { result, tried, reasons }: Verdict,
  { target }: Migration,
  trial: Trial | undefined,
  style: Style,
): string[] {
  if (result === 'does-not-run') {
    const more = reasons.length > mostReasons ? [`  and ${reasons.length - mostReasons} more`] : []
    const title = trial === undefined ? 'Will not run, before this is changed' : `Will not run on ${target.platform}`
    return [style('red', title), ...reasons.slice(0, mostReasons).map((each) => `  ${plain(each)}`), ...more]
  }
  const differences = result === 'runs' ? '' : ', with differences'
  if (tried) return [`${style('green', `Runs${differences}`)}: its first page was opened on ${target.platform}`]
  const why =
    trial === undefined
      ? 'not tried: add --try'
      : 'built, but not opened: no Chromium was found, install it or set CHROMIUM to its path'
  return [`${style('green', `Should run${differences}`)} (${why})`]
}

interface Shown {
  /** Written files; undefined without `--write`. */
  written: readonly { file: string; titles: readonly string[] }[] | undefined
  all: boolean
}

/** Findings of each section, and places of a finding, on one page. */
const mostFindings: Readonly<Record<Section, number>> = { missing: 10, change: 10, differs: 5 }
const mostPlaces = 2

const headings: Readonly<Record<Section, string>> = {
  missing: 'Missing',
  change: 'To change',
  differs: 'Works, with differences',
}

function render(migration: Migration, shown: Shown, style: Style): string {
  const { pagesFile, vue, target, works, findings, changes } = migration
  const lines = [
    `${style('bold', plain(pagesFile))}: uni-app with Vue ${vue}, ${counted(works.pages, 'page')}, ${counted(works.files, 'source file')}, built for ${describePlatform(target)}`,
    '',
    style('green', 'Works'),
    `  tags: ${countsText(works.tags, shown.all)}`,
    `  functions: ${countsText(works.functions, shown.all)}`,
  ]
  for (const section of ['missing', 'change', 'differs'] as const) {
    const own = findings.filter((each) => each.section === section)
    if (own.length > 0) lines.push('', style(colors[section], `${headings[section]} (${own.length})`))
    const listed = shown.all ? own : own.slice(0, mostFindings[section])
    lines.push(...listed.flatMap((each) => renderFinding(each, migration, shown.all, style)))
    if (listed.length < own.length) lines.push(style('dim', `  and ${own.length - listed.length} more: add --all`))
  }
  const written = shown.written ?? []
  if (written.length > 0) lines.push('')
  lines.push(...written.map(({ file, titles }) => `${style('green', 'written')} ${file}: ${titles.join('; ')}`))
  if (shown.written === undefined && changes.length > 0) {
    lines.push('', style('bold', `Safe changes, made by --write (${counted(changes.length, 'file')})`))
    const titles = new Map<string, number>()
    for (const change of changes) for (const title of change.titles) titles.set(title, (titles.get(title) ?? 0) + 1)
    lines.push(...[...titles].map(([title, files]) => `  ${plain(title)}${files > 1 ? ` (${files} files)` : ''}`))
  }
  return lines.join('\n')
}

const colors = { missing: 'red', change: 'yellow', differs: 'cyan' } as const

function renderFinding(finding: Finding, migration: Migration, all: boolean, style: Style): string[] {
  const { subject, message, platforms, places, isAutomatic } = finding
  const notes = [
    ...(platforms.length < migration.platforms.length ? [platforms.join(', ')] : []),
    ...(isAutomatic ? ['--write'] : []),
  ]
  const note = notes.length > 0 ? style('dim', ` [${notes.join('; ')}]`) : ''
  const listed = all ? places : places.slice(0, mostPlaces)
  const more = places.length > listed.length ? ` and ${places.length - listed.length} more` : ''
  const where = listed.map(({ file, line, column }) => plain(`${file}:${line}:${column}`)).join('  ')
  return [`  ${style('bold', plain(subject))}: ${plain(message)}${note}`, style('dim', `    ${where}${more}`)]
}

function countsText(counts: Migration['works']['tags'], all: boolean): string {
  const entries = Object.entries(counts)
  const listed = all ? entries : entries.slice(0, 16)
  const more = entries.length > listed.length ? ` and ${entries.length - listed.length} more` : ''
  return entries.length === 0 ? 'none' : listed.map(([name, count]) => `${name} ${count}`).join(', ') + more
}
