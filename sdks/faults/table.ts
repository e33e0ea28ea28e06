import { setTimeout as wait } from 'node:timers/promises'
import { minute } from '@souk/contract'
import type { FaultyRequest } from './server.ts'

/**
 * The calls of the suite, one per API. `tradedetail` may be repeated, and is signed again each time. `deleteDataset` is
 * repeated only if it was certainly not executed.
 */
export const calls = ['tradedetail', 'deleteDataset'] as const
export type Call = (typeof calls)[number]

/** Identifier of the trade or dataset in every call. */
export const id = '0123456789abcdef0123456789abcdef'

/** How a call ends. */
export interface Ending {
  /** `result`, or the kind of the error. */
  readonly end: 'result' | 'api' | 'connection'
  /** Fields of the result or of the error. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** What the message of the error contains. */
  readonly message?: RegExp
  /** How many requests the server gets. */
  readonly requests: number
}

export const languageNames = ['TypeScript', 'Python', 'Go', 'Java', 'PHP'] as const
export type LanguageName = (typeof languageNames)[number]

/** A difference that comes from a language or its HTTP library. */
interface Difference {
  /** Requests of `tradedetail`, where they are others. */
  readonly requests?: Readonly<Partial<Record<LanguageName, number>>>
  /** The reason, as text for the documentation. */
  readonly reason: string
}

export interface Fault {
  readonly id: string
  readonly name: string
  /** What the server does, as text for the documentation. */
  readonly server: string
  /** Answers a request. Undefined if nothing listens. */
  readonly answer: ((request: FaultyRequest) => void) | undefined
  /** Timeout of an attempt in s. */
  readonly timeout?: number
  /** How many calls are made at once. */
  readonly times?: number
  /** Shortest pauses before the second and the third request in ms. */
  readonly pauses?: readonly number[]
  readonly endings: Readonly<Partial<Record<Call, Ending>>>
  /** What the client reports about each attempt: its error, or null, and the HTTP status. Others are not compared. */
  readonly attempts?: Readonly<Partial<Record<Call, readonly (readonly [string | null, number | null])[]>>>
  readonly difference?: Difference
}

/** Timeout of an attempt in s at a server that answers too late. */
const short = 2
/**
 * How late such a server answers, in s, and the timeout at the others. Both are far from what the calls take, even on a
 * slow machine.
 */
export const long = 600
/** How far the clock of a server with a wrong clock is ahead in ms. */
const skew = 10 * minute
const dropInterval = 100
const drops = (long * 1000) / dropInterval
/** Half of the delays of ADR 50: the rest is random. */
export const shortestPauses = [250, 500]
/** Calls at once. */
const many = 500

const noAnswer = (requests: number): Ending => ({ end: 'connection', fields: { notSent: false }, requests })
/** Without an answer, only the call that may be repeated is repeated. */
const unanswered = { tradedetail: noAnswer(3), deleteDataset: noAnswer(1) }
const tooLate = {
  tradedetail: { ...noAnswer(3), message: /within|deadline/ },
  deleteDataset: { ...noAnswer(1), message: /within|deadline/ },
}
const error = (status: number, code: string | null, requests: number, message?: RegExp): Ending => ({
  end: 'api',
  fields: { status, code },
  requests,
  ...(message && { message }),
})
const bothAttempts = <T>(attempts: T) => ({ tradedetail: attempts, deleteDataset: attempts })
const times3 = (error: string, status: number | null) =>
  Array.from({ length: 3 }, (): readonly [string, number | null] => [error, status])
const result = (requests: number): Ending => ({ end: 'result', requests })
const bothEnd = (ending: Ending) => ({ tradedetail: ending, deleteDataset: ending })

const page = '<!doctype html><title>Sign in</title><p>Sign in to the network.'

/** Sends pieces one by one until the client closes the connection. */
async function drip({ response }: FaultyRequest, pieces: readonly string[], last: string): Promise<void> {
  const socket = response.socket!
  for (const piece of pieces) {
    if (socket.destroyed) return
    socket.write(piece)
    await wait(dropInterval)
  }
  if (!socket.destroyed) socket.end(last)
}

const head = (...headers: string[]) =>
  ['HTTP/1.1 200 OK', 'Content-Type: application/json', ...headers, '', ''].join('\r\n')

/** Sends a part of the right response, and closes the connection. */
const cut =
  (headers: string, chunk: (text: string) => string) =>
  ({ right, hangUp }: FaultyRequest) =>
    hangUp(head(headers) + chunk(right.slice(0, right.length / 2)))

/**
 * All faults, which each client meets in this order: the first ones would close a connection that an earlier one had
 * kept.
 */
export const faults: readonly Fault[] = [
  {
    id: 'down',
    name: 'Server down',
    server: 'Nothing listens at the address.',
    answer: undefined,
    endings: bothEnd({
      end: 'connection',
      fields: { notSent: true },
      message: /Check that Souk is running/,
      requests: 0,
    }),
    attempts: bothAttempts(times3('connection_error', null)),
  },
  {
    id: 'break',
    name: 'Broken connection',
    server: 'It closes the connection of each request without an answer.',
    answer: ({ hangUp }) => hangUp(),
    pauses: shortestPauses,
    endings: unanswered,
    difference: {
      requests: { Java: 6 },
      reason: `The HTTP client of Java sends a GET again at once, once per attempt, if a connection ends without an
answer, and has no setting for it. Signed as before, it only reads.`,
    },
  },
  {
    id: 'kept',
    name: 'Broken kept connection',
    server: 'It answers the first request with 429, keeps the connection, and closes it at the next request.',
    answer: ({ number, refuse, hangUp }) => (number === 1 ? refuse(429, 'rate_limited') : hangUp()),
    endings: { tradedetail: noAnswer(3), deleteDataset: noAnswer(2) },
    difference: {
      requests: { Go: 4, Java: 5, PHP: 4 },
      reason: `The HTTP libraries of Go, Java and PHP send a request that only reads again at once if a kept
connection ends without an answer, since the server may have closed it while it was idle. PHP sends all others with a new connection.`,
    },
  },
  {
    id: 'slow',
    name: 'Slow',
    server: 'It answers after ten minutes.',
    timeout: short,
    answer: ({ succeed, response }) => {
      const timer = setTimeout(succeed, long * 1000).unref()
      response.on('close', () => clearTimeout(timer))
    },
    endings: tooLate,
  },
  {
    id: 'drippedBody',
    name: 'Dripped body',
    server: 'It sends a byte of the body every 0.1 s, and is complete after ten minutes.',
    timeout: short,
    answer: (request) =>
      drip(
        request,
        [head(`Content-Length: ${drops + request.right.length}`), ...Array(drops).fill(' ')],
        request.right,
      ),
    endings: tooLate,
  },
  {
    id: 'drippedHead',
    name: 'Dripped headers',
    server: 'It sends a byte of a header every 0.1 s, and is complete after ten minutes.',
    timeout: short,
    answer: (request) =>
      drip(
        request,
        ['HTTP/1.1 200 OK\r\nX-Filler: ', ...Array(drops).fill('a')],
        `\r\nContent-Type: application/json\r\nContent-Length: ${request.right.length}\r\n\r\n${request.right}`,
      ),
    endings: tooLate,
  },
  {
    id: 'truncated',
    name: 'Truncated',
    server: 'It sends half of the bytes that `Content-Length` announces, and closes the connection.',
    answer: cut('Content-Length: 10000', (half) => half),
    pauses: shortestPauses,
    endings: unanswered,
    attempts: { tradedetail: times3('connection_error', null), deleteDataset: [['connection_error', null]] },
  },
  {
    id: 'truncatedChunks',
    name: 'Truncated chunks',
    server: 'It sends a chunk of the body, and closes the connection without the last one.',
    answer: cut('Transfer-Encoding: chunked', (half) => `${half.length.toString(16)}\r\n${half}\r\n`),
    pauses: shortestPauses,
    endings: unanswered,
  },
  {
    id: 'half',
    name: 'Half of the JSON',
    server: 'It sends half of the JSON as if it was complete.',
    answer: ({ right, send }) => send(200, { 'Content-Type': 'application/json' }, right.slice(0, right.length / 2)),
    endings: bothEnd(error(200, null, 1, /does not come from Souk/)),
  },
  {
    id: 'html',
    name: 'HTML',
    server: 'It answers with status 200 and a page, as the sign-in of a network does.',
    answer: ({ send }) => send(200, { 'Content-Type': 'text/html' }, page),
    endings: bothEnd(error(200, null, 1, /does not come from Souk: text\/html.*Check/)),
  },
  {
    id: 'proxy',
    name: 'HTML of a proxy',
    server: 'It answers with status 502 and a page.',
    answer: ({ send }) => send(502, { 'Content-Type': 'text/html' }, page),
    pauses: shortestPauses,
    endings: {
      tradedetail: error(502, null, 3, /retry later/),
      deleteDataset: error(502, null, 1, /retry later/),
    },
    attempts: { tradedetail: times3('502', 502), deleteDataset: [['502', 502]] },
  },
  {
    id: 'redirect',
    name: 'Redirect',
    server: 'It redirects to another address, which gets no request.',
    answer: ({ send, elsewhere }) => send(307, { Location: elsewhere }, ''),
    endings: bothEnd(error(307, null, 1, /redirects to/)),
  },
  {
    id: 'limited',
    name: '429, then 200',
    server: 'It answers with 429 and `Retry-After: 1`, then with the result.',
    answer: ({ number, refuse, succeed }) =>
      number === 1 ? refuse(429, 'rate_limited', { 'Retry-After': '1' }) : succeed(),
    pauses: [1000],
    endings: bothEnd(result(2)),
    attempts: bothAttempts([
      ['rate_limited', 429],
      [null, 200],
    ]),
  },
  {
    id: 'alwaysLimited',
    name: '429',
    server: 'It answers every request with 429.',
    answer: ({ refuse }) => refuse(429, 'rate_limited'),
    pauses: shortestPauses,
    endings: bothEnd(error(429, 'rate_limited', 3)),
  },
  {
    id: 'limitedForLong',
    name: '429 for long',
    server: 'It answers with 429 and `Retry-After: 31`, which is more than clients wait for.',
    answer: ({ refuse }) => refuse(429, 'rate_limited', { 'Retry-After': '31' }),
    endings: bothEnd(error(429, 'rate_limited', 1)),
  },
  {
    id: 'failedOnce',
    name: '500, then 200',
    server: 'It answers with 500, then with the result.',
    answer: ({ number, refuse, succeed }) => (number === 1 ? refuse(500, 'internal') : succeed()),
    pauses: shortestPauses,
    endings: { tradedetail: result(2), deleteDataset: error(500, 'internal', 1) },
    attempts: {
      tradedetail: [
        ['internal', 500],
        [null, 200],
      ],
      deleteDataset: [['internal', 500]],
    },
  },
  {
    id: 'failed',
    name: '500',
    server: 'It answers every request with 500.',
    answer: ({ refuse }) => refuse(500, 'internal'),
    pauses: shortestPauses,
    endings: { tradedetail: error(500, 'internal', 3), deleteDataset: error(500, 'internal', 1) },
  },
  {
    id: 'skewed',
    name: 'Skewed clock',
    server: 'Its clock is ten minutes ahead of that of the client, so it refuses the timestamp.',
    answer: ({ refuse }) => {
      const serverTime = Date.now() + skew
      refuse(401, 'timestamp_out_of_window', { Date: new Date(serverTime).toUTCString() }, { serverTime })
    },
    endings: { tradedetail: error(401, 'timestamp_out_of_window', 1, /clock.*NTP/) },
  },
  {
    id: 'skewedDate',
    name: 'Date of a skewed clock',
    server: 'Its clock is ten minutes ahead. It answers with 429 and the time two seconds later, then with the result.',
    answer: ({ number, refuse, succeed }) => {
      const date = (seconds: number) => new Date(Date.now() + skew + seconds * 1000).toUTCString()
      if (number === 1) refuse(429, 'rate_limited', { Date: date(0), 'Retry-After': date(2) })
      else succeed()
    },
    pauses: [2000],
    endings: bothEnd(result(2)),
  },
  {
    id: 'unknownValues',
    name: 'Unknown values',
    server: 'Its results have a state and fields that the contract does not know, as those of a later version.',
    answer: ({ succeed }) => succeed({ transactionStatus: 99, shelf: { row: 1 } }),
    endings: { tradedetail: { ...result(1), fields: { tradeNo: id, transactionStatus: 99 } } },
  },
  {
    id: 'unknownError',
    name: 'Unknown error',
    server: 'It answers with a status, a code and fields that the contract does not know.',
    answer: ({ refuse }) => refuse(418, 'teapot_refused', {}, { shelf: { row: 1 } }),
    endings: bothEnd(error(418, 'teapot_refused', 1)),
  },
  {
    id: 'many',
    name: `${many} calls at once`,
    server: `It answers when all ${many} requests have arrived.`,
    times: many,
    answer: ({ together, succeed }) => together(succeed),
    endings: bothEnd(result(many)),
    difference: { reason: 'PHP makes one call after the other; its server answers each.' },
  },
]

/** Returns how a call ends for the client of a language. */
export function endingOf(fault: Fault, call: Call, language: LanguageName): Ending | undefined {
  const ending = fault.endings[call]
  const requests = call === 'tradedetail' ? fault.difference?.requests?.[language] : undefined
  return ending && requests ? { ...ending, requests } : ending
}
