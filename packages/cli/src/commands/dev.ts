import { resolve } from 'node:path'
import type { Os, Platform } from '@souk/pages'
import { type Command, InvalidArgumentError, Option } from 'commander'
import encodeQR from 'qr'
import { Failure } from '../failure.ts'
import { buildTool, describePlatform, failureOf, platformOf } from '../miniApps.ts'
import { openRecording } from '../recording/open.ts'
import { createReplay } from '../recording/replay.ts'
import { createTurns } from '../recording/turns.ts'
import type { Style } from '../render.ts'
import type { AddCommand, Session } from '../session.ts'
import { osOption, targetOption } from './arguments.ts'

interface DevOptions {
  platform?: Platform
  os?: Os
  port?: number
  host?: string | true
  open?: true
  server?: string
  appid?: string
  replay?: string
  step?: true
}

/** `souk dev`: serves a mini app during development. */
export function addDevCommand(program: Command, add: AddCommand): void {
  add<[string | undefined], DevOptions>(program, {
    usage: 'dev [path]',
    examples: [
      'dev',
      'dev my-app --platform H5 --open',
      'dev my-app --server http://localhost:7070',
      'dev --replay session.jsonl --step',
    ],
    options: (command) =>
      command
        .addOption(targetOption())
        .addOption(osOption())
        .option('--port <number>', 'port to listen on (default: first free port from 5173)', parsePort)
        .option('--host [address]', 'also listen for other machines')
        .option('--open', 'open a browser')
        .option('--server <url>', 'Souk sandbox that serves neu.login, neu.requestPayment and similar calls', parseUrl)
        .option('--appid <appid>', 'appid of the mini app on that server (default: its first mini app)')
        .addOption(
          new Option('--replay <file>', 'answer calls and requests from a recording of souk inspect').conflicts(
            'server',
          ),
        )
        .option('--step', 'with --replay: answer the next call or request at Enter, all others at a and Enter'),
    action: async (session, { replay: recorded, step, ...options }, path = '.') => {
      const { environment, json, style } = session
      const choice = await platformOf(session, path, options.platform)
      if (step && recorded === undefined) throw new Failure(2, '--step needs --replay.')
      if (recorded !== undefined && choice.platform === 'H5')
        throw new Failure(2, 'A build for H5 has no host whose answers are recorded.', 'Use --platform App.')
      const interrupted = environment.untilInterrupted()
      const replay = recorded === undefined ? undefined : await replayOf(session, recorded, step === true, interrupted)
      const { serve } = await buildTool()
      const served = await serve({
        ...options,
        ...(replay && { replay }),
        platform: choice.platform,
        project: resolve(environment.folder, path),
        colors: environment.colors,
      }).catch((error: unknown) => {
        throw listenFailure(error, options) ?? failureOf(error)
      })
      const [local, ...network] = served.urls
      if (json)
        environment.out(
          `${JSON.stringify({ platform: choice.platform, platformSource: choice.source, url: local, network })}\n`,
        )
      else
        environment.out(
          describeServed(
            { local: local!, network, platform: describePlatform(choice) },
            { ...options, ...(recorded && { replay: recorded }) },
            style,
          ),
        )
      if (!interrupted.aborted) await new Promise((done) => interrupted.addEventListener('abort', done, { once: true }))
      await served.close()
    },
  })
}

/** Returns the answers of a recording, which are printed as they are given. */
async function replayOf({ environment, style }: Session, file: string, step: boolean, interrupted: AbortSignal) {
  const { launches } = await openRecording(environment, file)
  const turn = step ? createTurns(environment, interrupted) : undefined
  return createReplay(launches, {
    ...(turn && { turn }),
    onAnswered: (what, missing) =>
      environment.err(
        missing === undefined ? `${style('green', '✓')} ${what}\n` : `${style('red', '✗')} ${what}: ${missing}\n`,
      ),
  })
}

/** Returns all that a developer needs after the start, in one block. */
function describeServed(
  { local, network, platform }: { local: string; network: readonly string[]; platform: string },
  { server, appid, replay }: DevOptions,
  style: Style,
): string {
  const [phone] = network
  const none = (text: string) => style('dim', text)
  const rows = [
    ['Address', style('green', local)],
    ...(phone === undefined ? [['Network', none('this machine only; for a phone, add --host')]] : []),
    ...network.map((url) => ['Network', style('green', url)]),
    ['Platform', platform],
    ...(replay === undefined ? [] : [['Replay', replay]]),
    ...(replay === undefined
      ? [['Souk', server ?? none('none: logins and payments are made up; add --server http://localhost:7070')]]
      : []),
    ...(server === undefined
      ? []
      : [['Appid', appid ?? none('the first mini app of this Souk; choose it by --appid')]]),
    ['Keys', 'Ctrl-C stops'],
  ]
  const code = phone === undefined ? '' : `\n${encodeQR(phone, 'ascii', { border: 2, ecc: 'low' })}\n`
  return `\n${rows.map(([name, text]) => `  ${style('bold', name!.padEnd(10))}${text}\n`).join('')}${code}\n`
}

function listenFailure(error: unknown, { port, host }: DevOptions): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const { message } = error
  if (/port \d+ is already in use|EADDRINUSE/i.test(message))
    return new Failure(2, `Port ${port} is in use.`, 'Choose another port, or omit --port.')
  const reason = `souk dev cannot listen: ${message}.`
  if (message.startsWith('listen EACCES')) return new Failure(2, reason, 'Choose a port above 1023, or omit --port.')
  const isUnknown = 'hostname' in error && error.hostname === host
  if (isUnknown || message.startsWith('listen EADDRNOTAVAIL'))
    return new Failure(2, reason, 'Use an address of this machine after --host, or none. A folder comes before --host.')
  return undefined
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('Use a port from 1 to 65535.')
  return port
}

function parseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('Use a URL such as http://localhost:7070.')
  }
  return text.replace(/(?<!\/)\/+$/, '')
}
