import type { CallEntry, ConsoleEntry, InspectedValue, InspectionEntry, RequestEntry } from '@souk/contract/inspection'
import { plain } from '../render.ts'
import type { RecordedLaunch } from './launches.ts'
import { isSimilarText, isSimilarValue, likenesses, readValue } from './patterns.ts'
import { isSameAddress, isSameCall, isSameRequest, type Slot, slotsOf, takeSlot } from './slots.ts'
import { type StackPage, type Step, stepAt, stepsOf } from './steps.ts'

/** A difference between a recording and what a mini app does now. */
export interface Difference {
  kind: 'page' | 'call' | 'request' | 'error' | 'action'
  /** Absent for what was not recorded. */
  expected?: string
  /** Absent for what did not happen. */
  actual?: string
  /** Where they differ, in a call with other parameters. */
  at?: string
}

/** Compares what a mini app does after a launch with what was recorded. */
export interface Comparison {
  readonly steps: readonly Step[]
  /** Numbers of what is compared. */
  readonly numbers: { calls: number; requests: number }
  add(entry: InspectionEntry): void
  /** Returns true if a page is shown. */
  hasStarted(): boolean
  /** Returns true if all has happened that was recorded up to the end of a step. */
  hasDone(step: number): boolean
  /** Returns true if something has happened that was not recorded. */
  hasUnexpected(): boolean
  /** Returns how the mini app differs in a step: what has not happened yet only if it is over. */
  differences(step: number, isOver: boolean): Difference[]
  /** Returns the recorded errors that have not happened again. */
  errorsGone(): string[]
  /** True after a recorded `restartMiniApp`, with which the launch ends. */
  readonly isRestarting: boolean
}

/** Calls that the platform makes for its analytics, with stacks. Errors and pages are compared themselves. */
const ignoredCalls = new Set(['reportEvent'])
/** Characters of a call or a request in a report. */
const shownLength = 300

export function createComparison(launch: RecordedLaunch, ownOrigin: string): Comparison {
  const steps = stepsOf(launch)
  const calls = slotsOf(launch.calls.map(({ call }) => call).filter(({ method }) => !ignoredCalls.has(method)))
  const requests = slotsOf(launch.requests.map(({ request }) => request).filter(({ url }) => isForeign(url, ownOrigin)))
  const errors = slotsOf([...new Set(launch.entries.flatMap(errorIn))])
  const unexpected: (CallEntry | RequestEntry | { kind: 'error'; message: string })[] = []
  let stack: readonly StackPage[] = []
  let isRestarting = false

  const lacking = <T extends { time: number }>(slots: readonly Slot<T>[], step: number) =>
    slots.filter(({ recorded, isUsed }) => !isUsed && stepAt(steps, recorded.time) <= step)

  function addCall(entry: CallEntry): void {
    const { method, params } = entry
    if (ignoredCalls.has(method)) return
    const { value } = readValue(params)
    if (!takeSlot(calls, (recorded, likeness) => isSameCall(recorded, method, value, likeness))) unexpected.push(entry)
    else if (method === 'restartMiniApp') isRestarting = true
  }
  function addRequest(entry: RequestEntry): void {
    if (!isForeign(entry.url, ownOrigin)) return
    if (!takeSlot(requests, (recorded, likeness) => isSameRequest(recorded, entry, likeness))) unexpected.push(entry)
  }
  function addError(message: string): void {
    const same = errors.filter(({ recorded }) => isSimilarText(recorded, message))
    for (const each of same) each.isUsed = true
    const isKnown = unexpected.some((each) => each.kind === 'error' && each.message === message)
    if (same.length === 0 && !isKnown) unexpected.push({ kind: 'error', message })
  }

  /** Returns the difference of something unexpected, and what was recorded in its place, if that has not happened. */
  function differenceOf(given: (typeof unexpected)[number], step: number): [Difference, Slot<unknown>?] {
    if (given.kind === 'error') return [{ kind: 'error', actual: shown(given.message) }]
    if (given.kind === 'call') {
      const instead = lacking(calls, step).find(({ recorded }) => recorded.method === given.method)
      if (!instead) return [{ kind: 'call', actual: shownCall(given) }]
      const place = firstDifference(instead.recorded.params, readValue(given.params).value)
      return [{ kind: 'call', expected: shownCall(instead.recorded), actual: shownCall(given), ...place }, instead]
    }
    const instead = lacking(requests, step).find(({ recorded }) =>
      likenesses.some((likeness) => isSameAddress(recorded.url, given.url, likeness)),
    )
    const actual = shownRequest(given)
    return instead
      ? [{ kind: 'request', expected: shownRequest(instead.recorded), actual }, instead]
      : [{ kind: 'request', actual }]
  }

  const isShown = ({ stack: expected, isTopOnly }: Step) => {
    if (!expected) return true
    if (isTopOnly) return stack.at(-1)?.path === expected[0]!.path
    return stack.length === expected.length && stack.every((page, at) => isSamePage(expected[at]!, page))
  }

  return {
    steps,
    numbers: { calls: calls.length, requests: requests.length },
    get isRestarting() {
      return isRestarting
    },
    add(entry) {
      if (entry.kind === 'call') addCall(entry)
      else if (entry.kind === 'request') addRequest(entry)
      else if (entry.kind === 'pages' && entry.pages.length > 0) stack = entry.pages
      for (const message of errorIn(entry)) addError(message)
    },
    hasStarted: () => stack.length > 0,
    hasDone: (step) =>
      lacking(calls, step).length === 0 && lacking(requests, step).length === 0 && isShown(steps[step]!),
    hasUnexpected: () => unexpected.length > 0,
    differences(step, isOver) {
      const found = unexpected.map((each) => differenceOf(each, step))
      const named = new Set(found.map(([, instead]) => instead))
      const { stack: expected } = steps[step]!
      const page = { kind: 'page', expected: shownStack(expected ?? []), actual: shownStack(stack) } as const
      const missingCalls = lacking(calls, step).filter((slot) => !named.has(slot))
      const missingRequests = lacking(requests, step).filter((slot) => !named.has(slot))
      return [
        ...(isShown(steps[step]!) ? [] : [page]),
        ...found.map(([difference]) => difference),
        ...(isOver
          ? [
              ...missingCalls.map(({ recorded }) => ({ kind: 'call', expected: shownCall(recorded) }) as const),
              ...missingRequests.map(
                ({ recorded }) => ({ kind: 'request', expected: shownRequest(recorded) }) as const,
              ),
            ]
          : []),
      ]
    },
    errorsGone: () => errors.filter(({ isUsed }) => !isUsed).map(({ recorded }) => recorded),
  }
}

/** Returns the first line of an uncaught error, as a list. Names that a build shortens are left out. */
function errorIn(entry: InspectionEntry): string[] {
  if (entry.kind !== 'console' || entry.level !== 'error') return []
  const text = errorText(entry)
  if (text === undefined) return []
  const [line = ''] = text.replace(/^(?:Uncaught (?:\(in promise\) )?|Unhandled rejection: )/, '').split('\n', 1)
  const at = line.search(/ is not (?:a function|defined|iterable|a constructor)/)
  if (at < 0) return [line]
  return [`${line.slice(0, line.lastIndexOf(' ', at - 1) + 1)}…${line.slice(at)}`]
}

function errorText({ values, stack }: ConsoleEntry): string | undefined {
  const error = values.find(({ type }) => type === 'error')
  return error?.text ?? (stack === undefined ? undefined : values[0]?.text)
}

/** Files of the mini app have other addresses in development, and are not compared. */
function isForeign(url: string, ownOrigin: string): boolean {
  return /^https?:/.test(url) && !/\/mini\/[a-z0-9]{15}\/[0-9a-f]{32}\//.test(url) && new URL(url).origin !== ownOrigin
}

const isSamePage = (recorded: StackPage, given: StackPage) =>
  recorded.path === given.path && isSimilarText(recorded.query, given.query)

/** Returns the place of the first value that differs. */
function firstDifference(recorded: InspectedValue, given: unknown, at = ''): { at?: string } {
  const inner = (recorded.entries ?? []).find(([name, each]) => !isSimilarValue(each, Object(given)[name]))
  if (!inner) return at === '' ? {} : { at }
  const [name, each] = inner
  return firstDifference(each, Object(given)[name], at === '' ? name : `${at}.${name}`)
}

const shownCall = ({ method, params }: CallEntry) => shown(`${method}(${JSON.stringify(readValue(params).value)})`)
const shownRequest = ({ method, url, body }: RequestEntry) =>
  shown(`${method} ${url}${body === undefined ? '' : ` ${body}`}`)
const shownStack = (pages: readonly StackPage[]) =>
  shown(pages.map(({ path, query }) => (query === '' ? path : `${path}?${query}`)).join(' > ')) || 'no page'

function shown(text: string): string {
  const safe = plain(text)
  return safe.length > shownLength ? `${safe.slice(0, shownLength - 1)}…` : safe
}
