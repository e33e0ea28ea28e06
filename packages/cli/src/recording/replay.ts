import type { AnswerEntry, ResponseEntry } from '@souk/contract/inspection'
import type { Replay, ReplayedAnswer, ReplayedResponse } from '@souk/vite-plugin'
import { plain } from '../render.ts'
import type { RecordedLaunch } from './launches.ts'
import { type Likeness, likenesses, readValue } from './patterns.ts'
import { isSameAddress, isSameCall, isSameRequest, type Slot, slotsOf, takeSlot } from './slots.ts'

export interface ReplayOptions {
  /** Resolves when a call or a request may be answered. */
  turn?(what: string): Promise<void>
  /** Called with each call or request, and with the reason why it has no answer. */
  onAnswered?(what: string, missing?: string): void
}

/** Headers that describe how the body was sent. */
const transferHeaders = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'set-cookie'])
/** Characters of a call in a message. */
const shownLength = 160

/**
 * Answers calls and requests of a mini app from a recording. Each recorded answer is given once, in order, to a call
 * of the same name and parameters, or to a request of the same method, address and body; times and identifiers in them
 * may differ. Every start of the mini app begins with the first launch; after a recorded `restartMiniApp`, with the
 * next one.
 */
export function createReplay(launches: readonly RecordedLaunch[], options: ReplayOptions = {}): Replay {
  const { turn = async () => {}, onAnswered = () => {} } = options
  let next = 0
  let current = playOf(launches[0]!)
  return {
    start: launches[0]!.start,
    launch() {
      const launch = launches[next] ?? launches[0]!
      next = 0
      current = playOf(launch)
      return { storage: launch.storage, start: launch.start }
    },
    async call(method, params) {
      const { launch, calls } = current
      const what = shown(`${method}(${JSON.stringify(params)})`)
      await turn(what)
      const { found, missing } = take(
        calls,
        ({ call }) => call.method === method,
        ({ call }, likeness) => isSameCall(call, method, params, likeness),
        method,
        what,
      )
      const answer = missing === undefined ? answerOf(method, found?.answer) : { missing }
      onAnswered(what, 'missing' in answer ? answer.missing : undefined)
      if ('missing' in answer) return { errMsg: `${method}:fail ${answer.missing}` }
      if (method === 'restartMiniApp' && 'result' in answer) next = launches.indexOf(launch) + 1
      return answer
    },
    async request(request) {
      const { requests } = current
      const what = shown(`${request.method} ${request.url}`)
      await turn(what)
      const { found, missing } = take(
        requests,
        ({ request: recorded }) => likenesses.some((likeness) => isSameAddress(recorded.url, request.url, likeness)),
        ({ request: recorded }, likeness) => isSameRequest(recorded, request, likeness),
        'this address',
        what,
      )
      const response = missing === undefined ? responseOf(what, found?.response) : { missing }
      onAnswered(what, 'missing' in response ? response.missing : undefined)
      return response
    },
  }
}

function playOf(launch: RecordedLaunch) {
  return { launch, calls: slotsOf(launch.calls), requests: slotsOf(launch.requests) }
}

/** Takes the first recorded one that is the same and was not taken, or says why there is none. */
function take<T>(
  slots: readonly Slot<T>[],
  isNamed: (recorded: T) => boolean,
  isSame: (recorded: T, likeness: Likeness) => boolean,
  name: string,
  what: string,
): { found?: T; missing?: string } {
  const found = takeSlot(slots, isSame)
  if (found) return { found: found.recorded }
  const named = slots.filter(({ recorded }) => isNamed(recorded))
  const same = named.filter(({ recorded }) => likenesses.some((likeness) => isSame(recorded, likeness)))
  const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
  if (same.length > 0) return { missing: `the recording contains ${what} only ${times(same.length)}` }
  const others = named.length === 0 ? '' : `; it contains ${name} with other content ${times(named.length)}`
  return { missing: `the recording does not contain ${what}${others}` }
}

function answerOf(method: string, answer: AnswerEntry | undefined): ReplayedAnswer | { missing: string } {
  if (answer?.errMsg !== undefined) return { errMsg: answer.errMsg }
  if (answer?.result === undefined) return { missing: `the recording ends before the answer to ${method}` }
  const { value, isComplete } = readValue(answer.result)
  return isComplete ? { result: value } : { missing: `the recording contains only a part of the answer to ${method}` }
}

function responseOf(what: string, response: ResponseEntry | undefined): ReplayedResponse | { missing: string } {
  if (!response) return { missing: `the recording ends before the response to ${what}` }
  const { status, headers, body, size, error } = response
  if (status === 0) return { status, headers: [], body: '', error: error ?? 'no response' }
  if (body === undefined && error !== undefined) return { status: 0, headers: [], body: '', error }
  const hasBody = size !== undefined && size > 0
  if (body === undefined && hasBody)
    return { missing: `the recording does not contain the body of ${what}, which is binary or too large` }
  return { status, headers: headers.filter(([name]) => !transferHeaders.has(name.toLowerCase())), body: body ?? '' }
}

function shown(text: string): string {
  const safe = plain(text)
  return safe.length > shownLength ? `${safe.slice(0, shownLength)}…` : safe
}
