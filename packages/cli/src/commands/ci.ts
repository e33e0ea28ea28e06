import { resolve } from 'node:path'
import { type CheckOptions, check, type Os, type Platform, readPages } from '@souk/pages'
import type { PlatformChoice } from '@souk/project'
import type { Command } from 'commander'
import { toCodeQuality } from '../ci/codeQuality.ts'
import { toJunit } from '../ci/junit.ts'
import type { Step } from '../ci/step.ts'
import type { Environment } from '../environment.ts'
import { Failure } from '../failure.ts'
import { buildTool, describePlatform, failureOf, platformOf } from '../miniApps.ts'
import { toGithub } from '../pages/github.ts'
import { nameOf, type Reported, reported } from '../pages/report.ts'
import { toSarif } from '../pages/sarif.ts'
import { counted, plain, type Style, size } from '../render.ts'
import type { AddCommand, Run, Session } from '../session.ts'
import { osOption, parseSize, targetOption } from './arguments.ts'

interface CiOptions {
  platform?: Platform
  os?: Os
  maxFirstLoad?: number
  maxSize?: number
  upload?: true
  submit?: true
  appid?: string
  version?: string
  note?: string
  junit?: string
  sarif?: string
  codeQuality?: string
}

/** `souk ci`: everything that a pipeline does with a mini app, step by step. */
export function addCiCommand(program: Command, add: AddCommand, run: Run): void {
  add<[string | undefined], CiOptions>(program, {
    usage: 'ci [path]',
    examples: [
      'ci --max-first-load 120KB',
      'ci my-app --junit report.xml --sarif souk.sarif',
      'ci --upload --appid demoapp00000001 --version 1.4.0',
      'ci --submit --appid demoapp00000001 --version 1.4.0 --note "New menu"',
    ],
    options: (command) =>
      command
        .addOption(targetOption())
        .addOption(osOption())
        .option(
          '--max-first-load <size>',
          'limit for the JavaScript of the launch page, gzipped: 120KB, or a number of bytes',
          parseSize,
        )
        .option('--max-size <size>', 'limit for all files: 2MB, or a number of bytes', parseSize)
        .option('--upload', 'upload the release; needs --appid')
        .option('--submit', 'upload the release, and submit it for review')
        .option('--appid <appid>', 'the mini app')
        .option('--version <version>', 'version (default: version in package.json)')
        .option('--note <text>', 'what is new, for users')
        .option('--junit <file>', 'write the steps as JUnit XML')
        .option('--sarif <file>', 'write what the check finds as SARIF, for GitHub')
        .option('--code-quality <file>', 'write what the check finds as a code quality report, for GitLab'),
    action: async (session, options, path = '.') => {
      if ((options.upload || options.submit) && options.appid === undefined) {
        throw new Failure(2, 'There is no mini app to upload to.', 'Name it with --appid.')
      }
      const { environment, print, style } = session
      const choice = await platformOf(session, path, options.platform)
      const findings = await checked(session, path, choice.platform)
      const steps = await runSteps(environment, stepsOf(session, { path, options, choice, run, findings }))
      try {
        await writeReports(environment, options, { steps, findings })
      } finally {
        // Last, because output that nothing reads ends the process. It is printed even if a report could not be
        // written, because the release may be uploaded already.
        if (environment.annotates && !session.json) environment.out(toGithub(findings))
        print({ steps, findings }, () => render(steps, style))
      }
      return steps.some(({ state }) => state === 'failed') ? 1 : 0
    },
  })
}

/** Returns what the check of pages.json finds. */
async function checked({ environment }: Session, path: string, build: Platform): Promise<Reported[]> {
  const project = await environment.openProject(path)
  const options: CheckOptions = { files: project.files, build }
  const found = check(readPages(project.text, options), options)
  return reported(nameOf(project, environment.checkout), project.text, found)
}

/** A step before it runs. `run` returns what to say about it, and throws a Failure. */
interface Planned {
  name: Step['name']
  run: () => string | Promise<string>
}

interface Plan {
  path: string
  options: CiOptions
  choice: PlatformChoice
  run: Run
  findings: readonly Reported[]
}

function stepsOf(session: Session, { path, options, choice, run, findings }: Plan): Planned[] {
  const { environment } = session
  const { platform } = choice
  const { os, appid, maxFirstLoad, maxSize } = options
  let folder = ''
  let firstLoad = 0
  let total = 0
  const steps: Planned[] = [
    { name: 'check', run: () => summaryOf(findings) },
    {
      name: 'build',
      run: async () => {
        const { release } = await buildTool()
        const start = environment.now()
        const built = await release({ project: resolve(environment.folder, path), platform, ...(os && { os }) }).catch(
          (error) => {
            throw failureOf(error)
          },
        )
        folder = built.folder
        total = built.files.reduce((sum, { bytes }) => sum + bytes, 0)
        firstLoad = built.files
          .filter((file) => built.firstLoad.includes(file.path))
          .reduce((sum, { gzipped }) => sum + gzipped, 0)
        return `${describePlatform(choice)}, ${built.files.length} files in ${((environment.now() - start) / 1000).toFixed(1)} s`
      },
    },
    {
      name: 'size',
      run: () =>
        [
          within('the launch page loads', firstLoad, { limit: maxFirstLoad, option: '--max-first-load' }),
          within('all files have', total, { limit: maxSize, option: '--max-size' }),
        ].join('; '),
    },
  ]
  const { version, note } = options
  const common = [
    ...['--appid', appid!, '--platform', platform],
    ...(version ? ['--version', version] : []),
    ...(note ? ['--note', note] : []),
  ]
  if (options.upload || options.submit) {
    steps.push({
      name: 'upload',
      run: () => outputOf(run, environment, ['upload', path, '--dir', folder, ...common]),
    })
  }
  if (options.submit) {
    steps.push({ name: 'submit', run: () => outputOf(run, environment, ['submit', ...common]) })
  }
  return steps
}

/** @throws Failure if there are errors */
function summaryOf(findings: readonly Reported[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const list = errors.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`)
  if (errors.length > 0) throw new Failure(1, list.join('\n'), 'Details: souk pages check')
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  return warnings === 0 ? 'no errors' : `no errors, ${counted(warnings, 'warning')}`
}

/** @throws Failure if a size is above its limit */
function within(what: string, bytes: number, { limit, option }: { limit: number | undefined; option: string }): string {
  if (limit === undefined || bytes <= limit) return `${what} ${size(bytes)}`
  throw new Failure(1, `${what} ${size(bytes)}, above the limit of ${size(limit)}.`, `The limit is ${option}.`)
}

/** Runs another command of `souk`. @throws Failure with what it printed if it fails */
async function outputOf(run: Run, environment: Environment, args: readonly string[]): Promise<string> {
  let text = ''
  const print = (more: string) => {
    text += more
  }
  const status = await run(args, { ...environment, colors: false, out: print, err: print })
  if (status !== 0) throw new Failure(1, text.trim())
  return text.split('\n', 1)[0]!
}

/** Runs the steps in order. Those after a failed one are skipped. */
async function runSteps({ now }: Environment, planned: readonly Planned[]): Promise<Step[]> {
  const steps: Step[] = []
  let failed = false
  for (const { name, run } of planned) {
    const start = now()
    const state = failed ? 'skipped' : 'passed'
    try {
      steps.push({ name, state, text: failed ? '' : await run(), milliseconds: now() - start })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failed = true
      const text = [error.message, error.advice].filter(Boolean).join('\n')
      steps.push({ name, state: 'failed', text, milliseconds: now() - start })
    }
  }
  return steps
}

async function writeReports(
  environment: Environment,
  { junit, sarif, codeQuality }: CiOptions,
  { steps, findings }: { steps: readonly Step[]; findings: readonly Reported[] },
): Promise<void> {
  const write = (text: string, file: string) => environment.write(new Blob([text]).stream(), file)
  if (junit) await write(toJunit(steps), junit)
  if (sarif) await write(`${JSON.stringify(toSarif(findings), null, 2)}\n`, sarif)
  if (codeQuality) await write(`${JSON.stringify(toCodeQuality(findings), null, 2)}\n`, codeQuality)
}

const marks = { passed: ['green', 'ok     '], failed: ['red', 'FAILED '], skipped: ['dim', 'skipped'] } as const

function render(steps: readonly Step[], style: Style): string {
  return steps
    .map(({ name, state, text }) => {
      const [color, mark] = marks[state]
      const lines = text.split('\n').map(plain).join('\n               ')
      return `${style(color, mark)} ${name.padEnd(6)} ${lines}`.trimEnd()
    })
    .join('\n')
}
