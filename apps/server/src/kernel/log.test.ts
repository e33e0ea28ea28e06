import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLog, HeldLines, openLogStream } from './log.ts'

test.runIf(existsSync('/dev/full'))(
  'a log on a full disk neither throws nor hangs, and drops what exceeds its limit',
  async () => {
    const fd = openSync('/dev/full', 'w')
    const stream = openLogStream(fd)
    const log = createLog('info', stream)
    let dropped = 0
    stream.on('drop', () => {
      dropped += 1
    })
    for (let line = 0; line < 3; line++) {
      const failed = new Promise((resolve) => stream.once('error', resolve))
      log.info({ line }, 'lost')
      expect(await failed).toMatchObject({ code: 'ENOSPC' })
    }
    for (let line = 0; line < 2000; line++) log.info({ text: 'x'.repeat(1000) }, 'lost')
    expect(dropped).toBeGreaterThan(0)
    stream.flushSync()
    closeSync(fd)
  },
)

test('lines are held until they are released, or until a warning', () => {
  const written: string[] = []
  const stream = { write: (line: string) => void written.push(JSON.parse(line).msg) }
  const started = () => {
    written.length = 0
    const held = new HeldLines(stream)
    const log = createLog('debug', held)
    log.info('first')
    log.debug('second')
    expect(written).toEqual([])
    return { held, log }
  }
  const { held, log } = started()
  held.release()
  log.info('third')
  held.release()
  expect(written).toEqual(['first', 'second', 'third'])
  started().log.warn('waiting')
  expect(written).toEqual(['first', 'second', 'waiting'])
})
