import {
  type CheckOptions,
  check,
  type Diagnostic,
  type Explanation,
  explain,
  fixText,
  type Os,
  type PagesConfig,
  type Platform,
  pagesTypes,
  platforms,
  type ReadOptions,
  type ResolveOptions,
  readPages,
  resolve,
  routes,
  schema,
  type Targets,
  type Theme,
} from '@souk/pages'
import { type Project, renderDiagnostics } from '@souk/project'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { Failure } from '../failure.ts'
import { describePlatform, platformOf } from '../miniApps.ts'
import { toGithub } from '../pages/github.ts'
import { nameOf, reported } from '../pages/report.ts'
import { renderExplanation, renderResolved } from '../pages/resolved.ts'
import { toSarif } from '../pages/sarif.ts'
import type { AddCommand, Session } from '../session.ts'
import { osOption, parsePlatform, platformOption, targetOption } from './arguments.ts'

/** `souk pages …`: checks, resolves and explains a pages.json; needs no server. */
export function addPagesCommands(program: Command, add: AddCommand): void {
  const pages = program.command('pages')
  addCheckCommand(pages, add)
  addResolveCommand(pages, add)
  addExplainCommand(pages, add)
  addSchemaCommand(pages, add)
  addTypesCommand(pages, add)
}

interface CheckCommandOptions {
  platform?: Platform
  format?: 'github' | 'sarif'
  fix?: true
  verbose?: true
  target?: Targets
}

function addCheckCommand(pages: Command, add: AddCommand): void {
  add<[string | undefined], CheckCommandOptions>(pages, {
    usage: 'check [path]',
    summary: 'check the pages.json of a project folder (default: current); exit status 1 if it has errors',
    examples: [
      'pages check',
      'pages check my-app --fix',
      'pages check --verbose',
      'pages check my-app/pages.json --json',
      'pages check --format github',
    ],
    options: (command) =>
      command
        .addOption(targetOption())
        .addOption(
          new Option('--format <format>', 'output format for CI').choices(['github', 'sarif']).conflicts('json'),
        )
        .option('--fix', 'apply available fixes, keeping comments and formatting, then show the rest')
        .option(
          '--verbose',
          'list page paths, keys of other tools and repeated messages one by one instead of their number',
        )
        .option('--target <platform=version>', 'minimum version, such as App=2.6.0; repeatable', collectTarget),
    action: async (session, { platform, format, fix, verbose, target }, path = '.') => {
      const { environment, print, style } = session
      const project = await environment.openProject(path)
      const choice = await platformOf(session, path, platform)
      const options: CheckOptions = { files: project.files, build: choice.platform, ...(target && { targets: target }) }
      const fixed = fix ? await applyFixes(session, project, options) : undefined
      const text = fixed?.text ?? project.text
      const left = fixed?.remaining ?? check(readPages(text, options), options)
      const file = nameOf(project, environment.folder)
      if (format === 'github') environment.out(toGithub(reported(nameOf(project, environment.checkout), text, left)))
      else if (format === 'sarif') {
        environment.out(
          `${JSON.stringify(toSarif(reported(nameOf(project, environment.checkout), text, left)), null, 2)}\n`,
        )
      } else
        print(reported(file, text, left), () =>
          [
            renderDiagnostics(file, text, left, style, verbose === true),
            `The build is for ${describePlatform(choice)}.`,
          ].join('\n'),
        )
      return errorsAmong(left) > 0 ? 1 : 0
    },
  })
}

function addResolveCommand(pages: Command, add: AddCommand): void {
  add<[string | undefined], BuildOptions & { platform: Platform; page?: string }>(pages, {
    usage: 'resolve [path]',
    summary: 'show the resolved style of every page, with the source of each value',
    examples: ['pages resolve --platform H5', 'pages resolve my-app --platform "Mini App" --json'],
    options: (command) => withBuild(command, true),
    action: async (session, options, path = '.') => {
      const { config, project } = await read(session, path, options)
      const result = resolve(config, { ...buildOf(options), files: project.files })
      const { platform, globalStyle, tabBar, easycom, condition, windows } = result
      const shown = result.pages.map(({ path: page, style, provenance }) => ({ path: page, style, provenance }))
      session.print({ platform, globalStyle, pages: shown, tabBar, easycom, condition, windows }, () =>
        renderResolved(result, session.style),
      )
    },
  })
}

function addExplainCommand(pages: Command, add: AddCommand): void {
  add<[string, string, string], BuildOptions & { platform?: Platform }>(pages, {
    usage: 'explain <path> <page> <attribute>',
    summary: 'explain the value of a page attribute, on one or all platforms',
    examples: [
      'pages explain . pages/index/index navigationBarTextStyle',
      'pages explain my-app pages/index/index titleNView.type --platform App --json',
    ],
    options: (command) => withBuild(command, false),
    action: async (session, options, path, page, attribute) => {
      const { config, project } = await read(session, path, options)
      const requested = options.platform ? [options.platform] : platforms
      const answers = requested.map((platform) =>
        explain(config, page, attribute, { ...buildOf({ ...options, platform }), files: project.files }),
      )
      const explained = answers.filter((answer): answer is Explanation => !('error' in answer))
      const [first] = answers
      if (explained.length === 0 && first && 'error' in first) throw new Failure(1, first.error)
      const file = nameOf(project, session.environment.folder)
      session.print(options.platform ? explained[0] : explained, () =>
        explained.map((each) => renderExplanation(file, each, session.style)).join('\n\n'),
      )
    },
  })
}

function addSchemaCommand(pages: Command, add: AddCommand): void {
  add<[], { platform?: Platform }>(pages, {
    usage: 'schema',
    summary: 'print the JSON Schema of pages.json, for editors, for all platforms or one of them',
    examples: ['pages schema > pages.schema.json', 'pages schema --platform "Mini App"'],
    options: (command) => command.addOption(platformOption()),
    action: async ({ print }, { platform }) => {
      print(schema(platform), (it) => JSON.stringify(it, null, 2))
    },
  })
}

function addTypesCommand(pages: Command, add: AddCommand): void {
  add<[string | undefined]>(pages, {
    usage: 'types [path]',
    summary: 'print TypeScript types of the routes of a project, for navigateTo and switchTab',
    examples: ['pages types my-app > my-app/routes.d.ts', 'pages types my-app --json'],
    action: async (session, _, path = '.') => {
      const { config } = await read(session, path)
      session.print(routes(config), () => pagesTypes(config).trimEnd())
    },
  })
}

const errorsAmong = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.filter(({ severity }) => severity === 'error').length

/** Reads a project for a command that accepts invalid files; prints a note if there are errors. */
async function read(
  { environment }: Session,
  path: string,
  shown: Pick<ReadOptions, 'theme' | 'language'> = {},
): Promise<{ config: PagesConfig; project: Project }> {
  const project = await environment.openProject(path)
  const { theme, language } = shown
  const config = readPages(project.text, {
    files: project.files,
    ...(theme && { theme }),
    ...(language && { language }),
  })
  const errors = errorsAmong(check(config, { files: project.files }))
  if (errors > 0) {
    environment.err(
      `note: ${nameOf(project, environment.folder)} has ${errors === 1 ? 'an error' : `${errors} errors`}: souk pages check ${path}\n`,
    )
  }
  return { config, project }
}

async function applyFixes({ environment }: Session, project: Project, options: CheckOptions) {
  const result = fixText(project.text, options)
  if (result.text !== project.text) await project.write(result.text)
  if (result.fixed > 0) environment.err(`Fixed ${result.fixed} in ${nameOf(project, environment.folder)}.\n`)
  return result
}

function withBuild(command: Command, needsPlatform: boolean): Command {
  return command
    .addOption(platformOption().makeOptionMandatory(needsPlatform))
    .addOption(osOption())
    .option('--target <version>', 'version of the platform (default: newest)', parseVersion)
    .addOption(new Option('--theme <theme>', 'theme of theme.json (default: light)').choices(['light', 'dark']))
    .option('--language <tag>', 'language of locale/*.json, such as en (default: the fallback)')
}

/** The options of `withBuild` besides the platform. */
type BuildOptions = { os?: Os; target?: string; theme?: Theme; language?: string }

function buildOf(given: { platform: Platform; os?: Os; target?: string }): ResolveOptions {
  const { platform, os, target } = given
  return { platform, ...(os && { os }), ...(target && { version: target }) }
}

function parseVersion(text: string): string {
  if (!/^\d+(\.\d+)*$/.test(text)) throw new InvalidArgumentError('Use a version such as 2.6.3.')
  return text
}

function collectTarget(text: string, previous: Targets = {}): Targets {
  const equals = text.indexOf('=')
  if (equals < 1) throw new InvalidArgumentError('Use a form such as App=2.6.3.')
  return { ...previous, [parsePlatform(text.slice(0, equals))]: parseVersion(text.slice(equals + 1)) }
}
