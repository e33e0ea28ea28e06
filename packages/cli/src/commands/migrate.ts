import { resolve } from 'node:path'
import type { Platform } from '@souk/pages'
import type { Finding, Migration, Section } from '@souk/vite-plugin'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { buildTool, describePlatform, failureOf } from '../miniApps.ts'
import { counted, plain, type Style } from '../render.ts'
import type { AddCommand } from '../session.ts'
import { platformOption } from './arguments.ts'

/** `souk migrate`: reports what a uni-app project has to change for Souk; needs no server. */
export function addMigrateCommand(program: Command, add: AddCommand): void {
  add<[string], { platform?: Platform; write?: true; force?: true; all?: true }>(program, {
    usage: 'migrate <folder>',
    examples: ['migrate my-app', 'migrate my-app --platform H5 --all', 'migrate my-app --write --json'],
    options: (command) =>
      command
        .addOption(platformOption())
        .option('--write', 'make the safe changes, then report the rest; fails if git could not restore the files')
        .option('--force', 'with --write: write even if git could not restore the files')
        .option('--all', 'list all findings with all their places, not just the first page'),
    action: async ({ environment, print, style }, { platform, write, force, all }, folder) => {
      const { migrate, writeChanges, ProjectError, TooLarge, UnsafeWrite } = await buildTool()
      const options = { project: resolve(environment.folder, folder), ...(platform && { platforms: [platform] }) }
      try {
        const first = await migrate(options)
        if (write) await writeChanges(first.folder, first.changes, force === true)
        const migration = write && first.changes.length > 0 ? await migrate(options) : first
        const { changes, ...report } = migration
        const listed = (write ? first : migration).changes.map(({ file, titles }) => ({ file: plain(file), titles }))
        print({ ...report, ...(write ? { written: listed } : { safeChanges: listed }) }, () =>
          render(migration, { written: write ? listed : undefined, all: all === true }, style),
        )
        return migration.findings.some(({ section }) => section !== 'differs') ? 1 : 0
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
