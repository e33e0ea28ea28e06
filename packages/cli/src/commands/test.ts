import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Os, Platform } from '@souk/pages'
import { type Command, InvalidArgumentError } from 'commander'
import { Failure } from '../failure.ts'
import { platformOf } from '../miniApps.ts'
import type { Difference } from '../recording/comparison.ts'
import { openRecording } from '../recording/open.ts'
import { runTest, type TestResult } from '../recording/runTest.ts'
import { counted, plain, type Style } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { osOption, targetOption } from './arguments.ts'

interface TestOptions {
  project: string
  platform?: Platform
  os?: Os
  timeout: number
}

/** The result of a file, as `--json` prints it. */
type Report = Omit<TestResult, 'failure'> & {
  file: string
  passed: boolean
  failure: (Omit<NonNullable<TestResult['failure']>, 'picture'> & { screenshot: string }) | null
}

/** `souk test`: repeats recordings in Chromium, and compares (ADR 425). */
export function addTestCommand(program: Command, add: AddCommand): void {
  add<[string[]], TestOptions>(program, {
    usage: 'test <file...>',
    examples: ['test session.jsonl', 'test recordings/*.jsonl --project my-app --json'],
    options: (command) =>
      command
        .option('--project <folder>', 'folder of the mini app', '.')
        .addOption(targetOption())
        .addOption(osOption())
        .option(
          '--timeout <seconds>',
          'time that a step may take longer than when it was recorded',
          parseTimeout,
          10_000,
        )
        .addHelpText(
          'after',
          [
            '',
            'Repeats the taps of recordings of souk inspect in Chromium: the one of CHROMIUM, or the installed one. Calls and',
            'requests are answered from the file. Exit status: 0 pages, calls, requests and errors are as recorded,',
            '1 something differs, 2 usage or environment error.',
          ].join('\n'),
        ),
    action: async (session, options, files) => {
      const { environment, style, json } = session
      const chromium = environment.chromium()
      if (chromium === undefined)
        throw new Failure(
          2,
          'No Chromium was found.',
          'Install Chromium, Google Chrome or Microsoft Edge, or set CHROMIUM to the path of one.',
        )
      const reports: Report[] = []
      const interrupted = environment.untilInterrupted()
      // All files are read first, so that a broken one does not end a long test.
      const recordings = new Map<string, Awaited<ReturnType<typeof openRecording>>>()
      for (const file of files) recordings.set(file, await openRecording(environment, file))
      for (const [file, recording] of recordings) {
        const report = await testFile(session, options, { file, recording, chromium, interrupted })
        reports.push(report)
        if (!json) environment.out(describe(report, style))
      }
      const passed = reports.every((report) => report.passed)
      if (json) environment.out(`${JSON.stringify({ passed, files: reports })}\n`)
      return passed ? 0 : 1
    },
  })
}

interface Tested {
  file: string
  recording: Awaited<ReturnType<typeof openRecording>>
  chromium: string
  interrupted: AbortSignal
}

async function testFile(session: Session, options: TestOptions, tested: Tested): Promise<Report> {
  const { environment } = session
  const { file, recording, chromium, interrupted } = tested
  const { build, launches } = recording
  const { platform } = await platformOf(session, options.project, options.platform ?? build?.platform)
  if (platform === 'H5')
    throw new Failure(2, 'A build for H5 has no host whose answers are recorded.', 'Use --platform App.')
  const { failure, ...result } = await runTest({
    launches,
    device: build?.device,
    project: resolve(environment.folder, options.project),
    platform,
    os: options.os ?? build?.os,
    chromium,
    timeout: options.timeout,
    interrupted,
  })
  if (!failure) return { file, passed: true, ...result, failure: null }
  const screenshot = join(dirname(file), `${basename(file, extname(file))}.png`)
  const { picture, ...rest } = failure
  await environment.write(new Blob([new Uint8Array(picture)]).stream(), screenshot)
  return { file, passed: false, ...result, failure: { ...rest, screenshot } }
}

function describe({ file, failure, errorsGone, ...numbers }: Report, style: Style): string {
  const { launches, actions, calls, requests } = numbers
  const gone = errorsGone.map((message) => `    This error has not happened again: ${plain(message)}\n`).join('')
  if (!failure) {
    const parts = [
      counted(launches, 'launch', 'launches'),
      counted(actions, 'action'),
      counted(calls, 'call'),
      counted(requests, 'request'),
    ]
    return `${style('green', '✓')} ${file}: ${parts.join(', ')}\n${gone}`
  }
  const { launch, step, action, differences, screenshot } = failure
  const place = launches > 1 ? `launch ${launch}, step ${step}` : `step ${step}`
  return [
    `${style('red', '✗')} ${file}: ${place}, ${plain(action)}\n`,
    ...differences.map((difference) => `    ${sentenceOf(difference)}\n`),
    `    Screenshot: ${screenshot}\n`,
  ].join('')
}

const verbs = { call: 'called', request: 'requested', error: 'thrown', page: 'shown', action: 'possible' } as const

/** Returns a sentence about a difference; texts of recordings are shown as texts only. */
function sentenceOf({ kind, expected, actual, at }: Difference): string {
  const [wanted, came] = [expected, actual].map((text) => text && plain(text))
  if (kind === 'page') return `Page: expected ${wanted}; shown: ${came}`
  if (kind === 'action') return `Impossible: ${wanted}: ${came}`
  if (wanted === undefined) return `Not recorded, but ${verbs[kind]}: ${came}`
  if (came === undefined) return `Recorded, but not ${verbs[kind]}: ${wanted}`
  return `${kind === 'call' ? 'Call' : 'Request'} differs${at === undefined ? '' : ` in ${plain(at)}`}: expected ${wanted}; came: ${came}`
}

function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (!/^\d{1,4}(?:\.\d)?$/.test(text) || seconds === 0)
    throw new InvalidArgumentError('Use a number of seconds, such as 30.')
  return seconds * 1000
}
