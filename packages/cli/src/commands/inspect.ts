import { consoleOperations, type InspectionEnd, type ResultOf } from '@souk/contract'
import { readReport } from '@souk/contract/inspection'
import type { Command } from 'commander'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { formatDuration } from '../duration.ts'
import type { OpenFile } from '../environment.ts'
import { Failure, Unreachable } from '../failure.ts'
import { type RecordedNumbers, type Recorder, startRecorder } from '../recording/recorder.ts'
import { counted } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { drawLink, type LinkOptions, linkOf, warnOfLocalLink, withLinkOptions } from './link.ts'

const { createInspection, watchInspection, sendToInspected, endInspection } = consoleOperations

type InspectOptions = LinkOptions & { record: string; force?: true }

/** `souk inspect`: records a mini app on a phone (ADR 421). */
export function addInspectCommand(program: Command, add: AddCommand): void {
  add<[], InspectOptions>(program, {
    usage: 'inspect',
    examples: [
      'inspect --appid demoapp00000001 --record session.jsonl',
      'inspect --appid demoapp00000001 --stage development --record session.jsonl --force',
    ],
    options: (command) =>
      withLinkOptions(command)
        .requiredOption('--record <file>', 'write what the mini app does to this file, until Ctrl-C')
        .option('--force', 'replace the file if it exists')
        .addHelpText(
          'after',
          [
            '',
            'The host asks the user of the phone, and restarts the mini app when the recording starts. Secrets and personal',
            'fields are masked. Exit status: 0 recorded, 1 nothing was recorded, 2 usage or environment error.',
          ].join('\n'),
        ),
    action: async (session, options) => {
      const { environment } = session
      const file = await environment.createFile(options.record, { replaces: options.force === true })
      try {
        await record(session, options, file)
      } finally {
        await file.close()
      }
    },
  })
}

async function record(session: Session, options: InspectOptions, file: OpenFile): Promise<void> {
  const { environment, server, json } = session
  const { appid } = options
  const interrupted = environment.untilInterrupted()
  const { inspectionId, code, validUntil } = await server.call(createInspection, { appid })
  const inspection = { appid, inspectionId }
  let recorder: Recorder | undefined
  let reason: InspectionEnd | 'full' = 'stopped'
  try {
    const link = await linkOf(session, options, code)
    if (json) environment.out(`${JSON.stringify({ link, validUntil })}\n`)
    else {
      environment.out(`${drawLink(link)}\n`)
      warnOfLocalLink(session, link)
      environment.err('Scan the code with the phone, or open the link there, within ten minutes. Ctrl-C ends.\n')
    }
    reason = await follow(session, inspection, interrupted, {
      onConnected: async () => {
        recorder = await startRecorder(file, { appid, now: environment.now })
        // A recording begins with a launch, so that it can be replayed.
        await server.call(sendToInspected, { ...inspection, message: JSON.stringify({ type: 'restart' }) })
        environment.err(`Recording to ${options.record}. Ctrl-C ends.\n`)
      },
      onMessage: async (message) => (await recorder?.add(readReport(message))) ?? true,
    })
  } finally {
    await recorder?.end(reason)
    // It may have ended on the phone.
    await server.call(endInspection, inspection).catch(() => {})
  }
  if (!recorder) throw new Failure(1, nothing[reason] ?? 'No phone has connected: nothing was recorded.')
  const { numbers } = recorder
  session.print({ file: options.record, reason, ...numbers }, () => describe(options.record, reason, numbers))
}

const nothing: Partial<Record<InspectionEnd | 'full', string>> = {
  declined: 'The user of the phone has declined: nothing was recorded.',
  idle: 'The code has expired: nothing was recorded.',
}

interface Followed {
  /** Called when the phone has connected. What was sent to it before is lost. */
  onConnected(): Promise<void>
  /** Returns false to end. */
  onMessage(message: unknown): Promise<boolean>
}

type InspectionEvent = ResultOf<typeof watchInspection>

/** Reads what the phone reports until either side ends it, and connects again after the network was lost. */
async function follow(
  { environment, server }: Session,
  inspection: { appid: string; inspectionId: string },
  interrupted: AbortSignal,
  { onConnected, onMessage }: Followed,
): Promise<InspectionEnd | 'full'> {
  let after: number | undefined
  let hasConnected = false
  let pause = 500
  while (!interrupted.aborted) {
    try {
      const stream = await server.stream(
        watchInspection,
        { ...inspection, ...(after !== undefined && { after }) },
        interrupted,
      )
      const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
      for await (const { event, data } of events) {
        pause = 500
        const received = JSON.parse(data) as InspectionEvent['data']
        if (event === 'ended' && 'reason' in received) return received.reason as InspectionEnd
        if (event === 'state' && 'paired' in received) {
          after = received.after
          if (received.connected && !hasConnected) {
            hasConnected = true
            await onConnected()
          }
        }
        if (event === 'message' && 'message' in received) {
          after = received.messageId
          if (!(await onMessage(parse(received.message)))) return 'full'
        }
      }
    } catch (error) {
      if (interrupted.aborted) break
      if (!(error instanceof Unreachable && after !== undefined)) throw error
    }
    if (interrupted.aborted) break
    environment.err(`Lost the connection to Souk; retrying in ${formatDuration(pause)}.\n`)
    await environment.sleep(pause, interrupted).catch(() => {})
    pause = Math.min(pause * 2, 10_000)
  }
  return 'stopped'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const reasons: Record<InspectionEnd | 'full', string> = {
  declined: 'declined',
  left: 'ended by the phone',
  stopped: 'stopped',
  idle: 'ended after 15 minutes without use',
  replaced: 'continued elsewhere',
  full: 'full',
}

function describe(file: string, reason: InspectionEnd | 'full', numbers: RecordedNumbers): string {
  const { launches, pages, calls, requests, taps, errors, omitted } = numbers
  const parts = [
    counted(launches, 'launch', 'launches'),
    counted(pages, 'page state'),
    counted(calls, 'call'),
    counted(requests, 'request'),
    counted(taps, 'tap'),
    counted(errors, 'error'),
    ...(omitted > 0 ? [`${omitted} left out`] : []),
  ]
  return `Recorded to ${file} (${reasons[reason]}): ${parts.join(', ')}.`
}
