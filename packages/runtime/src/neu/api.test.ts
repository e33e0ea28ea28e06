import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, api } from './api.ts'
import { type ArgumentType, check } from './check.ts'

const rejections: unknown[] = []
const onRejection = (reason: unknown) => rejections.push(reason)

beforeEach(() => {
  rejections.length = 0
  vi.stubGlobal('__SOUK_UNI_APP__', false)
  process.on('unhandledRejection', onRejection)
})
afterEach(() => {
  process.off('unhandledRejection', onRejection)
  vi.unstubAllGlobals()
})

const soon = () => new Promise((resolve) => setImmediate(resolve))

const double = api<{ value: number }, { doubled: number }>('double', ({ value }) => {
  check('double', { value }, { value: 'number!' })
  if (value < 0) throw new Error('too small')
  return { doubled: value * 2 }
})

describe('functions of neu', () => {
  it('return a promise if called without callbacks', async () => {
    expect(await double({ value: 2 })).toEqual({ errMsg: 'double:ok', doubled: 4 })
    const error = await double({ value: -1 }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ errMsg: 'double:fail too small', message: 'double:fail too small' })
  })

  it('fail with plain objects in H5 builds of uni-app projects, so that code that shows a message shows its own', async () => {
    vi.stubGlobal('__SOUK_UNI_APP__', true)
    const failing = api<{ error: unknown }, void>('send', ({ error }) => Promise.reject(error))
    const reasonOf = (error: unknown) => failing({ error }).catch((failure: unknown) => failure)
    expect(await reasonOf(new Error('timeout'))).toStrictEqual({ errMsg: 'send:fail timeout' })
    expect(await reasonOf(new ApiError('send:fail no', { code: 7 }))).toStrictEqual({ errMsg: 'send:fail no', code: 7 })
    expect(await reasonOf(new Error(''))).toStrictEqual({ errMsg: 'send:fail' })
  })

  it('call callbacks and return nothing', async () => {
    const log: unknown[] = []
    const note = (name: string) => (value: object) => log.push([name, { ...value }])
    expect(double({ value: 2, success: note('success'), complete: note('complete') })).toBe(undefined)
    expect(double({ value: -1, fail: note('fail'), complete: note('complete') })).toBe(undefined)
    await soon()
    expect(log).toEqual([
      ['success', { errMsg: 'double:ok', doubled: 4 }],
      ['complete', { errMsg: 'double:ok', doubled: 4 }],
      ['fail', { errMsg: 'double:fail too small' }],
      ['complete', { errMsg: 'double:fail too small' }],
    ])
  })

  it('leave no unhandled rejection if called with a callback', async () => {
    double({ value: -1, success: () => {} })
    double({ value: -1, complete: () => {} })
    await soon()
    expect(rejections).toEqual([])
    double({ value: -1 })
    await soon()
    expect(rejections).toHaveLength(1)
  })

  it('report an error in a callback and still call complete', async () => {
    const errors: unknown[] = []
    vi.stubGlobal('reportError', (error: unknown) => errors.push(error))
    const complete = vi.fn()
    double({
      value: 1,
      success() {
        throw new Error('in success')
      },
      complete,
    })
    await soon()
    expect(complete).toHaveBeenCalledOnce()
    expect(errors).toEqual([new Error('in success')])
    expect(rejections).toEqual([])
  })

  it('keep the errMsg and other properties of an error', async () => {
    const failing = api('pay', () =>
      Promise.reject(Object.assign(new Error('x'), { errMsg: 'pay:fail closed', failCode: 21 })),
    )
    const error = await failing().catch((error: unknown) => error)
    expect(error).toMatchObject({ errMsg: 'pay:fail closed', failCode: 21 })
    const text = api('say', () => Promise.reject('just a text'))
    expect(await text().catch((error: unknown) => error)).toMatchObject({ errMsg: 'say:fail just a text' })
  })

  it('return a task for long-running calls, in both styles', async () => {
    const abort = vi.fn()
    const long = api('long', () => Object.assign(new Promise<object>(() => {}), { abort }))
    const promise = long() as unknown as { abort(): void; then: unknown }
    expect(promise.then).toBeTypeOf('function')
    promise.abort()
    const task = long({ success: () => {} }) as unknown as { abort(): void; then?: unknown }
    expect(task.then).toBe(undefined)
    task.abort()
    expect(abort).toHaveBeenCalledTimes(2)
  })
})

it.each([
  [{}, 'number!', 'parameter.value should be Number instead of Undefined'],
  [{ value: '1' }, 'number', 'parameter.value should be Number instead of String'],
  [{ value: null }, 'string', 'parameter.value should be String instead of Null'],
  [{ value: [] }, 'object', 'parameter.value should be Object instead of Array'],
  [null, 'string', 'parameter should be Object instead of Null'],
  ['x', 'string', 'parameter should be Object instead of String'],
] as [unknown, ArgumentType, string][])('checks options %o, whose value must be %s: %s', (options, kind, text) => {
  expect(() => check('x', options, { value: kind })).toThrow(`x:fail parameter error: ${text}`)
  expect(() => check('x', { other: 1 }, { value: 'string' })).not.toThrow()
})
