import { closeSync, existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createLog, openLogStream } from './log.ts'

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
