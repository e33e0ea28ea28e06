import { callbackAcknowledged, consoleOperations, parseForm, type ResultOf, statusName } from '@souk/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { formatDuration } from '../duration.ts'
import { Failure, Unreachable } from '../failure.ts'
import { plain } from '../render.ts'
import { networkReason } from '../server.ts'
import type { AddCommand, Session } from '../session.ts'
import { userAgentOf } from '../version.ts'

const { listen, reportForwarded } = consoleOperations

type ForwardedCallback = Extract<ResultOf<typeof listen>['data'], { notifyId: string }>

/** Response of the backend behind `--forward-to`. Times in ms. */
interface Forwarded {
  notifyId: string
  appid: string
  acknowledged: boolean
  status: number | null
  reply: string | null
  error: string | null
  duration: number
}

/** Response timeout in ms, the same as in Souk. */
const answerTimeout = 5000
/** Number of characters of a response that Souk stores. */
const longestReply = 4096

/** Printed after an interruption. A callback that is replayed is forwarded like a new one. */
const missed =
  'Callbacks may have been sent meanwhile: souk callbacks list shows them, souk callbacks resend sends one again.\n'

/** `souk listen`: forwards callbacks to a backend on the developer's machine (ADR 51). */
export function addListenCommand(program: Command, add: AddCommand): void {
  add<[], { forwardTo: string; forwardRefundsTo?: string; appid?: string }>(program, {
    usage: 'listen',
    examples: [
      'listen --forward-to http://localhost:3000/souk/callback',
      'listen --forward-to localhost:3000/souk/callback --appid demoapp00000001 --json',
    ],
    options: (command) =>
      command
        .requiredOption('--forward-to <url>', 'URL to post each callback to', parseTarget)
        .option('--forward-refunds-to <url>', 'URL to post results of refunds to (default: --forward-to)', parseTarget)
        .option('--appid <appid>', 'only callbacks of this mini app'),
    action: async (session, { forwardTo, forwardRefundsTo = forwardTo, appid }) => {
      const { environment, server } = session
      const signal = environment.untilInterrupted()
      const pending = new Set<Promise<void>>()
      let everConnected = false
      let pause = 500
      while (!signal.aborted) {
        try {
          const stream = await server.stream(listen, appid ? { appid } : {}, signal)
          environment.err(
            everConnected
              ? `Reconnected. ${missed}`
              : `Forwarding callbacks${appid ? ` of ${appid}` : ''} from ${await environment.serverUrl()} to ${forwardTo}. Press Ctrl-C to stop.\n`,
          )
          everConnected = true
          pause = 500
          const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
          for await (const { event, data } of events) {
            if (event === 'resync') environment.err(missed)
            if (event !== 'callback') continue
            const callback = JSON.parse(data) as ForwardedCallback
            const target = parseForm(callback.body).has('refundNo') ? forwardRefundsTo : forwardTo
            const work = forwardOne(session, target, callback)
            pending.add(work)
            void work.finally(() => pending.delete(work))
          }
        } catch (error) {
          if (signal.aborted) break
          if (!(error instanceof Unreachable && everConnected)) throw error
        }
        if (signal.aborted) break
        environment.err(`Lost the connection to Souk; retrying in ${formatDuration(pause)}.\n`)
        await environment.sleep(pause, signal).catch(() => {})
        pause = Math.min(pause * 2, 10_000)
      }
      await Promise.all(pending)
    },
  })
}

async function forwardOne(session: Session, url: string, callback: ForwardedCallback): Promise<void> {
  const { environment, server, json, style } = session
  const forwarded = await post(url, callback, userAgentOf(await environment.serverUrl()), environment.now)
  environment.out(`${json ? JSON.stringify(forwarded) : describe(forwarded, callback.body, style)}\n`)
  const { notifyId, status, reply, error, duration } = forwarded
  try {
    await server.call(reportForwarded, {
      notifyId,
      ...(status === null ? {} : { status }),
      ...(reply === null ? {} : { reply }),
      ...(error === null ? {} : { error }),
      duration,
    })
  } catch (failure) {
    environment.err(`Could not report the response: ${failure instanceof Error ? failure.message : String(failure)}\n`)
  }
}

async function post(
  url: string,
  callback: ForwardedCallback,
  userAgent: string,
  now: () => number,
): Promise<Forwarded> {
  const { notifyId, appid, headers, body } = callback
  const started = now()
  const took = () => Math.max(0, Math.round(now() - started))
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, accept: '*/*', 'user-agent': userAgent },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeout),
    })
    const reply = await readStart(answer)
    const acknowledged = callbackAcknowledged(answer.status, reply)
    return { notifyId, appid, acknowledged, status: answer.status, reply, error: null, duration: took() }
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    const reason = late ? `no response within ${answerTimeout / 1000} s` : networkReason(error)
    return {
      notifyId,
      appid,
      acknowledged: false,
      status: null,
      reply: null,
      error: reason.slice(0, 512),
      duration: took(),
    }
  }
}

async function readStart(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= longestReply) break
  }
  return text.slice(0, longestReply).toWellFormed()
}

function describe(forwarded: Forwarded, body: string, style: Session['style']): string {
  const fields = parseForm(body)
  const refundStatus = fields.get('refundStatus')
  const { status, reply, error, acknowledged, duration, notifyId } = forwarded
  const answer =
    status === null
      ? `no response: ${error}`
      : acknowledged
        ? String(status)
        : `${status} ${plain(reply ?? '').slice(0, 120)}`
  return [
    acknowledged ? style('green', '✓') : style('red', '✗'),
    style('bold', plain(fields.get('outTradeNo') ?? '')),
    // The status of a refund has the numbers of a trade's.
    refundStatus ? `refund ${statusName(Number(refundStatus))}` : statusName(Number(fields.get('transactionStatus'))),
    `→ ${plain(answer).trim()}`,
    style('dim', `after ${formatDuration(duration)}, notifyId ${notifyId}`),
  ].join(' ')
}

function parseTarget(text: string): string {
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new InvalidArgumentError('Use an http or https URL such as http://localhost:3000/souk/callback.')
  }
  const { username, password } = new URL(url)
  // fetch would refuse each callback with an error that contains them, and that Souk stores as the response.
  if (username || password) {
    throw new Failure(2, 'The URL of --forward-to contains a user name or a password.', 'Remove it.')
  }
  return url
}
