import { consoleOperations } from '@souk/contract'
import type { Command } from 'commander'
import { formatRelative } from '../duration.ts'
import { plain, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { listErrorRecordings, downloadErrorRecording } = consoleOperations

const withApp = (command: Command) => command.requiredOption('--appid <appid>', 'the mini app')

/** `souk recordings …`: recordings of testers whose session ended with a JavaScript error (ADR 426). */
export function addRecordingCommands(program: Command, add: AddCommand): void {
  const recordings = program.command('recordings')
  add<[], { appid: string; error?: string }>(recordings, {
    usage: 'list',
    summary: 'list the recordings of the last 14 days, newest first',
    examples: [
      'recordings list --appid demoapp00000001',
      'recordings list --appid demoapp00000001 --error 0123456789abcdef0123456789abcdef --json',
    ],
    options: (command) => withApp(command).option('--error <fingerprint>', 'only those of this error'),
    action: async ({ environment, server, style, print }, { appid, error }) => {
      const input = { appid, ...(error !== undefined && { fingerprint: error }) }
      print(await server.call(listErrorRecordings, input), (found) =>
        found.length === 0
          ? 'No recordings. A tester starts one in the menu of a test version, with “Record this session”.'
          : table(
              ['RECORDING', 'ERROR', 'TESTER', 'VERSION', 'SIZE', 'TIME'],
              found.map(({ recordingId, fingerprint, uid, version, size, ctime }) => [
                ...[recordingId, fingerprint, String(uid), plain(version ?? '–'), `${Math.ceil(size / 1024)} KB`],
                formatRelative(ctime, environment.now()),
              ]),
              style,
            ),
      )
    },
  })
  add<[string], { appid: string; out?: string; force?: true }>(recordings, {
    usage: 'get <recordingId>',
    summary: 'write a recording to a file, for souk test and souk dev --replay',
    examples: [
      'recordings get 0123456789abcdef0123456789abcdef --appid demoapp00000001 --out session.jsonl',
      'recordings get 0123456789abcdef0123456789abcdef --appid demoapp00000001 > session.jsonl',
    ],
    options: (command) =>
      withApp(command)
        .option('--out <file>', 'write to this file, which only you can read, instead of standard output')
        .option('--force', 'replace the file if it exists'),
    action: async ({ environment, server, print }, { appid, out, force }, recordingId) => {
      const download = () =>
        server.stream(downloadErrorRecording, { appid, recordingId }, environment.untilInterrupted())
      if (out === undefined) {
        // Standard output contains only the data.
        await environment.write(await download(), undefined)
        return
      }
      const file = await environment.createFile(out, { replaces: force === true })
      try {
        for await (const text of (await download()).pipeThrough(new TextDecoderStream())) await file.append(text)
      } finally {
        await file.close()
      }
      print({ file: out }, () => `Wrote ${out}.`)
    },
  })
}
