import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingLine } from '@souk/contract/recording'
import { expect, onTestFinished, test } from 'vitest'
import { runIn } from '../../test/command.ts'

const header = { souk: 'recording', version: 1, appid: 'demoapp00000001', time: 1 } as const
const end = { kind: 'end', time: 2, reason: 'stopped', omitted: 0 } as const

test.each([
  ['what is no recording', ['--replay', 'other.json'], 'other.json: The file is not a recording'],
  ['a recording of a newer version', ['--replay', 'newer.jsonl'], 'newer.jsonl: The recording has version 2'],
  ['a recording without a launch', ['--replay', 'empty.jsonl'], 'empty.jsonl contains no launch of the mini app'],
  ['a file that does not exist', ['--replay', 'none.jsonl'], 'none.jsonl cannot be read: no such file'],
  ['H5', ['--replay', 'empty.jsonl', '--platform', 'H5'], 'A build for H5 has no host'],
  [
    'a server besides the recording',
    ['--replay', 'empty.jsonl', '--server', 'http://localhost:7070'],
    'cannot be used',
  ],
  ['--step without a recording', ['--step'], '--step needs --replay'],
])('souk dev refuses to replay %s', async (_, args, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'souk-replay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'other.json'), '{"name":"coffee"}')
  await writeFile(join(folder, 'newer.jsonl'), recordingLine({ ...header, version: 2 }))
  await writeFile(join(folder, 'empty.jsonl'), recordingLine(header) + recordingLine(end))
  const { status, err } = await runIn(folder, ['dev', ...args], {
    untilInterrupted: () => new AbortController().signal,
  })
  expect([status, err]).toEqual([2, expect.stringContaining(message)])
})
