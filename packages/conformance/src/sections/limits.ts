import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import { expectError } from '../expect.ts'
import { requestOf } from '../wire.ts'

const check = topic('limit')
const maxRequests = 5_000

/** Rate limits (open-api §8). */
export const limits: Check[] = [
  check('headers', '8', 'responses have the headers RateLimit and RateLimit-Policy', async (context) => {
    const app = await context.newApp()
    const reply = await app.call('tradedetail', { tradeNo: '0'.repeat(32) })
    assert.match(reply.headers.get('ratelimit') ?? '', /r=\d+;\s*t=\d+/)
    assert.match(reply.headers.get('ratelimit-policy') ?? '', /q=\d+;\s*w=\d+/)
  }),
  check(
    'exceeded',
    '8',
    'a mini app over its limit gets 429 with Retry-After; other mini apps are not affected',
    async (context) => {
      const [app, other] = [await context.newApp(), await context.newApp()]
      const raw = requestOf('tradedetail', app.sign({ tradeNo: '0'.repeat(32) }))
      let sent = 0
      let limited: Awaited<ReturnType<typeof context.raw>> | undefined
      const send = async () => {
        while (!limited && sent++ < maxRequests) {
          const reply = await context.raw(raw, false)
          if (reply.status === 429) limited = reply
        }
      }
      await Promise.all(Array.from({ length: 32 }, send))
      assert.ok(limited, `no 429 in ${maxRequests} requests`)
      expectError(limited, { status: 429, code: 'rate_limited' })
      assert.match(limited.headers.get('retry-after') ?? '', /^\d+$/)
      const unaffected = await context.raw(requestOf('tradedetail', other.sign({ tradeNo: '0'.repeat(32) })), false)
      assert.equal(unaffected.status, 404)
    },
  ),
]
