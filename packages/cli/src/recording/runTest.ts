import { setTimeout as wait } from 'node:timers/promises'
import { type InspectedDevice, type InspectionEntry, readInspection } from '@souk/contract/inspection'
import type { Os, Platform } from '@souk/pages'
import type { Replay } from '@souk/vite-plugin'
import { Failure } from '../failure.ts'
import { buildTool, failureOf } from '../miniApps.ts'
import { NotTapped, openPhone, type Phone } from '../trial/phone.ts'
import { type Comparison, createComparison, type Difference } from './comparison.ts'
import type { RecordedLaunch } from './launches.ts'
import { createReplay } from './replay.ts'
import type { Action, Step } from './steps.ts'

/** What a test of a recording has shown. */
export interface TestResult {
  /** Numbers of what was repeated as recorded; `launches` are all of the file. */
  launches: number
  actions: number
  calls: number
  requests: number
  /** Recorded errors that have not happened again. */
  errorsGone: string[]
  failure?: TestFailure
}

/** The first step that differs. */
interface TestFailure {
  /** Number of the launch and of the step in it, from 1; the first step is the launch itself. */
  launch: number
  step: number
  /** What the user did. */
  action: string
  differences: Difference[]
  /** A picture of the screen as PNG. */
  picture: Buffer
}

export interface TestOptions {
  launches: readonly RecordedLaunch[]
  /** Undefined in recordings of older hosts. */
  device: InspectedDevice | undefined
  /** Absolute path of the mini app. */
  project: string
  platform: Platform
  os: Os | undefined
  /** Path of Chromium. */
  chromium: string
  /** Time that a step may take longer than when it was recorded, in ms. */
  timeout: number
  interrupted: AbortSignal
}

const usualDevice: InspectedDevice = {
  width: 375,
  height: 667,
  statusBarHeight: 20,
  safeAreaBottom: 0,
  language: 'en',
  theme: 'light',
}

/** Time in which a page must be shown after a launch, ms. The development server compiles it at the first one. */
const longestStart = 60_000
/** Time in which more can happen after the last step, and after a first difference, in ms. */
const settling = 1000
const pollInterval = 50
/** The development server may load the page again after it has found packages. */
const mostStarts = 10

/**
 * Repeats a recording in Chromium, up to the first difference. Calls and requests are answered from it.
 * @throws Failure if the mini app cannot be served, or Chromium cannot be started
 */
export async function runTest({ launches, device = usualDevice, ...options }: TestOptions): Promise<TestResult> {
  const { project, platform, os, chromium, timeout, interrupted } = options
  let origin = ''
  let at = 0
  let starts = 0
  let replay = createReplay(launches)
  let comparison = createComparison(launches[0]!, origin)
  const begin = (launch: number) => {
    at = launch
    comparison = createComparison(launches[at]!, origin)
  }
  const add = (entry: InspectionEntry) => {
    if (entry.kind !== 'start') comparison.add(entry)
    else begin(comparison.isRestarting && at + 1 < launches.length ? at + 1 : at)
    if (entry.kind === 'start') starts++
  }
  const served: Replay = {
    get start() {
      return replay.start
    },
    device,
    launch: () => replay.launch(),
    call: (method, params) => replay.call(method, params),
    request: (request) => replay.request(request),
    report: (entries) => readInspection({ entries }).forEach(add),
  }

  const { serve } = await buildTool()
  const server = await serve({ project, platform, ...(os && { os }), colors: false, replay: served }).catch((error) => {
    throw failureOf(error)
  })
  const [url] = server.urls
  origin = new URL(url!).origin
  let phone: Phone | undefined
  try {
    phone = await openPhone(chromium, device).catch((error: Error) => {
      throw new Failure(2, `Chromium does not start: ${error.message}.`, 'Set CHROMIUM to the path of another one.')
    })
    const result: TestResult = { launches: launches.length, actions: 0, calls: 0, requests: 0, errorsGone: [] }
    const errorsGone = new Set<string>()
    begin(0)
    await phone.open(url!)
    for (;;) {
      const playing = comparison
      const played = await play(phone, playing, {
        timeout,
        isCurrent: () => comparison === playing && !interrupted.aborted,
      })
      interrupted.throwIfAborted()
      if (starts > mostStarts + launches.length) throw new Failure(1, 'The mini app starts again and again.')
      if (played === 'replaced' && !playing.isRestarting) continue
      if (typeof played === 'object') {
        const picture = await phone.picture()
        return { ...result, errorsGone: [...errorsGone], failure: { launch: at + 1, ...played, picture } }
      }
      for (const error of playing.errorsGone()) errorsGone.add(error)
      result.actions += playing.steps.length - 1
      result.calls += playing.numbers.calls
      result.requests += playing.numbers.requests
      if (played === 'replaced') continue
      if (at + 1 >= launches.length) return { ...result, errorsGone: [...errorsGone] }
      // The user has started it again.
      replay = createReplay(launches.slice(at + 1))
      begin(at + 1)
      await phone.open(url!)
    }
  } finally {
    await phone?.close()
    await server.close()
  }
}

interface Playing {
  /** In ms. */
  timeout: number
  /** False if the mini app has started again, or the command was interrupted. */
  isCurrent(): boolean
}

type Played = 'done' | 'replaced' | Omit<TestFailure, 'launch' | 'picture'>

/** Repeats a launch. Returns the first difference. */
async function play(phone: Phone, comparison: Comparison, { timeout, isCurrent }: Playing): Promise<Played> {
  const { steps } = comparison
  for (const [at, step] of steps.entries()) {
    const isLast = at === steps.length - 1
    const failed = (action: string, differences: Difference[]) => ({ step: at + 1, action, differences })
    let action = step.action ? describe(step.action) : 'launch'
    try {
      const text = await perform(phone, step, timeout)
      if (text) action = `${action} "${text}"`
    } catch (error) {
      if (!(error instanceof NotTapped)) throw error
      const why = { kind: 'action', expected: action, actual: error.message } as const
      return failed(action, [...comparison.differences(Math.max(0, at - 1), false), why])
    }
    const hasEnded = () => comparison.hasUnexpected() || comparison.hasDone(at)
    if (at === 0) await until(() => !isCurrent() || comparison.hasStarted(), longestStart)
    const isOver = !(await until(() => !isCurrent() || hasEnded(), step.duration + timeout))
    if (!isCurrent()) return 'replaced'
    if (comparison.hasUnexpected() || isLast) await until(() => !isCurrent(), settling)
    if (!isCurrent()) return 'replaced'
    if (isOver || comparison.hasUnexpected()) return failed(action, comparison.differences(at, isOver))
  }
  return 'done'
}

/** Repeats what the user did. Returns the text of a tapped element. */
async function perform(phone: Phone, { action }: Step, timeout: number): Promise<string | undefined> {
  if (action?.kind === 'tap') return phone.tap(action.target, timeout)
  if (action) {
    const { action: type, index, text } = action
    await phone.act({ type, ...(index !== undefined && { index }), ...(text !== undefined && { text }) })
  }
  return undefined
}

function describe(action: Action): string {
  if (action.kind === 'tap') return `tap on ${action.page}, ${action.target}`
  const { index, text } = action
  return `${action.action}${index === undefined ? '' : ` ${index}`}${text === undefined ? '' : ` "${text}"`} of the bars`
}

/** Waits until something is true. Returns false if it is not in time. */
async function until(isTrue: () => boolean, timeout: number): Promise<boolean> {
  const latest = Date.now() + timeout
  while (!isTrue()) {
    if (Date.now() > latest) return false
    await wait(pollInterval)
  }
  return true
}
