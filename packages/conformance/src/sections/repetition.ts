import assert from 'node:assert/strict'
import { type Check, topic } from '../check.ts'
import { expectError, expectSuccess } from '../expect.ts'
import { operationNames, validParameters, validRequest } from '../requests.ts'

const check = topic('repetition')

/** Requests that a client repeats because it has not received the response (open-api §4.1, open-api §4.3). */
export const repetition: Check[] = [
  ...operationNames.map((name) =>
    check(name, '4.1', `${name} responds to a repeated request as to the first one`, async (context) => {
      const app = await context.app()
      const request = await validRequest(app, name)
      const first = expectSuccess(await context.raw(request))
      const later = await Promise.all(Array.from({ length: 3 }, () => context.raw(request)))
      for (const reply of later) assert.deepEqual(expectSuccess(reply), first)
    }),
  ),
  check('accessToken-race', '4.3', '20 concurrent repetitions of an exchange get one token', async (context) => {
    const app = await context.app()
    const request = await validRequest(app, 'accessToken')
    const replies = await Promise.all(Array.from({ length: 20 }, () => context.raw(request)))
    const tokens = replies.map((reply) => (expectSuccess(reply) as { accessToken: string }).accessToken)
    assert.equal(new Set(tokens).size, 1)
    expectSuccess(await app.userInfo(tokens[0]!))
  }),
  check('accessToken-revoked', '4.3', 'an exchange is not repeated after another one of its code', async (context) => {
    const app = await context.app()
    const parameters = await validParameters.accessToken(app)
    const pairs = app.sign(parameters)
    const { accessToken } = expectSuccess(await app.send('accessToken', pairs)) as { accessToken: string }
    const used = { status: 400, code: 'code_used' }
    expectError(await app.call('accessToken', parameters), used)
    expectError(await app.send('accessToken', pairs), used)
    expectError(await app.userInfo(accessToken), { status: 401, code: 'access_token_invalid' })
  }),
]
