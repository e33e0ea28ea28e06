import assert from 'node:assert/strict'
import { topic } from '../check.ts'
import { expectError, expectFields, expectSuccess, is, isText } from '../expect.ts'
import { operationNames } from '../requests.ts'
import { methodsOf, operations, requestOf } from '../wire.ts'

const check = topic('envelope')

/** The response envelope (open-api §2.2) and requests that match no operation (open-api §7). */
export const envelope = [
  check(
    'success',
    '2.2',
    'a successful response is {responseHeader: {status: 200, msg: "OK"}, response}',
    async (context) => {
      const app = await context.app()
      const reply = await app.call('trade', app.tradeParameters())
      expectSuccess(reply)
      expectFields(reply.envelope, { responseHeader: () => true, response: () => true })
      expectFields(reply.envelope?.responseHeader, { status: is(200), msg: is('OK') })
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
    },
  ),
  check(
    'failure',
    '7',
    'an error response repeats the HTTP status in the envelope, with msg, code and response null',
    async (context) => {
      const app = await context.app()
      const reply = await app.call('tradedetail', { tradeNo: '0'.repeat(32) })
      expectError(reply, { status: 404, code: 'trade_not_found' })
      assert.ok(isText(reply.envelope?.responseHeader.msg))
      assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
    },
  ),
  check('request-id', '7', 'every response has a unique X-Request-Id', async (context) => {
    const app = await context.app()
    const replies = await Promise.all([
      app.call('tradedetail', { tradeNo: await app.createTrade() }),
      app.call('tradedetail', { tradeNo: '0'.repeat(32) }),
      context.raw({ method: 'GET', target: '/neuopenapi/nothing' }),
    ])
    const ids = replies.map((reply) => reply.headers.get('x-request-id'))
    assert.ok(ids.every(isText), `X-Request-Id: ${ids.join(', ')}`)
    assert.equal(new Set(ids).size, ids.length)
  }),
  check('unknown-path', '7', 'an unknown path gets 404 in the envelope', async (context) => {
    for (const target of ['/neuopenapi', '/neuopenapi/pay/transactions/none', '/neuopenapi/oauth/mini/accessToken/']) {
      expectError(await context.raw({ method: 'POST', target }), { status: 404, code: 'route_unknown' })
    }
  }),
  ...operationNames.map((name) =>
    check(`method-${name}`, '4.3', `${name} accepts ${methodsOf(name).join(' and ')} only`, async (context) => {
      const methods = methodsOf(name)
      const target = operations[name].path
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !methods.includes(each))) {
        expectError(await context.raw({ method, target }), { status: 405, code: 'method_not_allowed' })
      }
      for (const method of ['HEAD', 'OPTIONS']) {
        const reply = await context.raw({ method, target })
        assert.deepEqual([reply.status, reply.headers.get('allow')], [405, methods.join(', ')])
      }
    }),
  ),
  check('json-body', '4.1', 'a JSON body is rejected with 415', async (context) => {
    const app = await context.app()
    const body = JSON.stringify(Object.fromEntries(app.sign(app.tradeParameters())))
    for (const type of ['application/json', 'text/plain']) {
      const reply = await context.raw({
        method: 'POST',
        target: operations.trade.path,
        headers: { 'content-type': type },
        body,
      })
      expectError(reply, { status: 415, code: 'body_unsupported' })
    }
  }),
  check('huge-body', '4.1', 'a form of several megabytes is rejected with 413', async (context) => {
    const app = await context.app()
    const reply = await app.call('trade', app.tradeParameters({ description: 'x'.repeat(4 * 1024 * 1024) }))
    expectError(reply, { status: 413, code: 'body_too_large' })
  }),
  check(
    'no-parameters',
    '4.1',
    'a request without parameters is rejected, and the error names a missing one',
    async (context) => {
      for (const name of operationNames) {
        const message = name === 'userInfo' ? 'accessToken' : 'appid'
        for (const method of methodsOf(name)) {
          const reply = await context.raw({ method, target: operations[name].path })
          expectError(reply, { status: 400, code: 'parameter_missing', message })
        }
      }
    },
  ),
  check('empty-form', '4.1', 'an empty form is rejected, and the error names a missing parameter', async (context) => {
    expectError(await context.raw(requestOf('trade', [])), { status: 400, code: 'parameter_missing', message: 'appid' })
  }),
]
