import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryApp } from '../../test/memoryApp.ts'
import { neu } from '../neu/index.ts'
import { createRouter } from './router.ts'

const pages = { 'pages/a/a': {}, 'pages/b/b': {}, 'pages/c/c': {}, 'tabs/t/t': {}, 'tabs/u/u': {} }
const tabs = ['tabs/t/t', 'tabs/u/u']

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    (error: { errMsg: string }) => error.errMsg,
  )

async function start() {
  const memory = await memoryApp(pages, { tabs, isStarted: false })
  const router = createRouter(memory.app)
  const open = (path = 'pages/a/a') => memory.app.start([`/${path}`])
  const idle = async () => {
    await memory.idle()
    // Callers learn the result after the navigation has ended.
    return memory.idle()
  }
  return { ...memory, router, open, idle }
}

it('asks guards in order before a page is opened, and calls hooks with where it goes and comes from', async () => {
  const { router, open, paths } = await start()
  const log: string[] = []
  router.beforeEach((to, from, next) => {
    log.push(`first ${from.path} ${to.fullPath} ${to.meta.isTabBar}`)
    next()
  })
  const remove = router.beforeEach(async () => void log.push('second'))
  router.afterEach((to, from) => void log.push(`after ${from.path} ${to.path}`))
  expect(await open()).toBe(true)
  await neu.navigateTo({ url: '/pages/b/b?id=1' })
  expect(log).toEqual([
    'first / /pages/a/a false',
    'second',
    'after / /pages/a/a',
    'first /pages/a/a /pages/b/b?id=1 false',
    'second',
    'after /pages/a/a /pages/b/b',
  ])
  expect(router.currentRoute.value).toMatchObject({ path: '/pages/b/b', query: { id: '1' } })
  remove()
  log.length = 0
  await neu.navigateBack()
  expect(log).toEqual(['first /pages/b/b /pages/a/a false', 'after /pages/b/b /pages/a/a'])
  expect(paths()).toEqual(['pages/a/a'])
})

it('opens what a guard redirects to after any call, and asks all guards again', async () => {
  const { router, open, paths } = await start()
  const asked: string[] = []
  router.beforeEach((to) => void asked.push(to.path))
  router.beforeEach((to) => {
    if (to.path === '/pages/b/b') return { path: '/pages/c/c', query: { from: 'b', none: undefined } }
    return to.query.tab ? '/tabs/t/t' : undefined
  })
  await open('pages/b/b')
  expect(paths()).toEqual(['pages/c/c'])
  expect(asked).toEqual(['/pages/b/b', '/pages/c/c'])
  expect(router.currentRoute.value.fullPath).toBe('/pages/c/c?from=b')
  await neu.navigateTo({ url: '/pages/a/a?tab=1' })
  expect(paths()).toEqual(['tabs/t/t'])
  await neu.reLaunch({ url: '/pages/b/b' })
  expect(paths()).toEqual(['pages/c/c'])
  const { eventChannel } = await neu.navigateTo({ url: '/pages/a/a' })
  expect(eventChannel).toBeDefined()
  await router.replace('/pages/b/b')
  expect(paths()).toEqual(['pages/c/c', 'pages/c/c'])
})

it('stays where it is if a guard says no, and says so to the caller and to hooks', async () => {
  const { router, open, paths, errors } = await start()
  await open()
  const failures: unknown[] = []
  router.beforeEach((to, _, next) => {
    if (to.path !== '/pages/c/c') next(false)
    else throw new Error('broken')
  })
  router.afterEach((_, __, failure) => void failures.push(failure?.type))
  const reason = 'Navigation aborted from "/pages/a/a" to "/pages/b/b" via a navigation guard.'
  expect(await reasonOf(neu.navigateTo({ url: '/pages/b/b' }))).toBe(`navigateTo:fail ${reason}`)
  expect(await router.push('/pages/b/b')).toMatchObject({ type: 4, message: reason })
  expect(failures).toEqual([4, 4])
  expect(errors).toEqual([])
  await expect(router.push('/pages/c/c')).rejects.toThrow('broken')
  expect(errors).toHaveLength(1)
  expect(paths()).toEqual(['pages/a/a'])
})

it.each([null, 1, () => {}])('opens the page if a guard answers %s', async (answer) => {
  const { router, open, paths, errors } = await start()
  router.beforeEach(() => answer)
  router.beforeEach((_, __, next) => next(answer as never))
  await open()
  expect([paths(), errors]).toEqual([['pages/a/a'], []])
})

it('ends a navigation whose guard has not answered when another one begins, even the first', async () => {
  const { router, open, paths } = await start()
  router.beforeEach((to, _, next) => {
    if (to.path !== '/pages/a/a') return next()
    // As guards of plug-ins do, without an answer.
    void neu.reLaunch({ url: '/pages/b/b' })
    return undefined
  })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(await open()).toBe(true)
  await vi.waitFor(() => expect(paths()).toEqual(['pages/b/b']))
  expect(await reasonOf(neu.navigateTo({ url: '/pages/a/a' }))).toMatch('cancelled')
})

it('corrects the address that the user enters if a guard stops it, and reports no error', async () => {
  const { app, router, open, paths, errors, idle } = await start()
  await open()
  const location = { hash: '#/pages/a/a', pathname: '/', search: '' }
  let onPopstate = (_: { state: unknown }) => {}
  const state = { souk: ['/pages/a/a'] }
  const go = () => {
    location.hash = '#/pages/a/a'
    onPopstate({ state })
  }
  const addEventListener = (_: string, listener: typeof onPopstate) => {
    onPopstate = listener
  }
  vi.stubGlobal('window', { location, history: { state, go }, addEventListener })
  vi.stubGlobal('__SOUK_PLATFORM__', 'H5')
  await app.navigation()
  router.beforeEach(() => false)
  location.hash = '#/pages/b/b'
  onPopstate({ state: null })
  await idle()
  expect([location.hash, paths(), errors]).toEqual(['#/pages/a/a', ['pages/a/a'], []])
})

describe('hooks after each navigation', () => {
  /** Logs the paths that guards are asked for, and those of hooks, which tell plug-ins that the navigation is over. */
  function logOf(router: ReturnType<typeof createRouter>) {
    const log: string[] = []
    router.beforeEach((to) => void log.push(`asked ${to.path}`))
    router.afterEach(
      (to, _, failure) => void log.push(failure ? `failed ${to.path} ${failure.type}` : `over ${to.path}`),
    )
    return log
  }

  it('are not called, as guards are not, if the address is on top', async () => {
    const { app, router, open, carrier, idle } = await start()
    await open('tabs/t/t')
    const log = logOf(router)
    await router.push('/tabs/t/t')
    carrier.onBarEvent({ type: 'tab', index: 0 })
    await idle()
    await (await app.navigation()).follow(['/tabs/t/t'])
    expect(log).toEqual([])
  })

  it('are called with a failure if a guard redirects to the address on top', async () => {
    const { app, router, open, paths } = await start()
    await open('tabs/t/t')
    router.beforeEach((to) => (to.path === '/tabs/t/t' ? undefined : '/tabs/t/t'))
    const log = logOf(router)
    await router.push('/tabs/u/u')
    await router.push('/pages/a/a')
    const { follow } = await app.navigation()
    await follow(['/tabs/t/t', '/pages/a/a'])
    await follow(['/tabs/u/u'])
    expect(log).toEqual(Array(4).fill(['asked /tabs/t/t', 'failed /tabs/t/t 16']).flat())
    expect(paths()).toEqual(['tabs/t/t'])
  })

  it('are not called, but error listeners are, if the page does not exist', async () => {
    const { app, router, open, errors } = await start()
    const log = logOf(router)
    const remove = router.onError((error, to, from) => void log.push(`${error} ${from.path} ${to.path}`))
    const logged = () => log.splice(0)

    expect(await open('pages/x/x')).toBe(false)
    expect(logged()).toEqual(['asked /pages/x/x', 'Error: page "pages/x/x" is not found / /pages/x/x'])
    await app.start(['/pages/a/a', '/tabs/t/t'])
    const { follow } = await app.navigation()
    await follow(['/pages/a/a', '/tabs/t/t', '/pages/x/x'])
    expect(logged().slice(2)).toEqual(['asked /pages/x/x', 'Error: page "pages/x/x" is not found /tabs/t/t /pages/x/x'])
    await expect(router.push('/pages/x/x')).rejects.toThrow('not found')
    expect(logged()).toEqual(['asked /pages/x/x', 'Error: page "pages/x/x" is not found /tabs/t/t /pages/x/x'])
    expect(errors).toEqual([])
    remove()
  })

  it('are called if the page cannot be loaded, because a message is shown in its place', async () => {
    const { app, router, open, errors, paths, text } = await start()
    vi.spyOn(app.environment, 'load').mockRejectedValue(new Error('offline'))
    const log = logOf(router)
    router.onError(() => void log.push('error'))
    expect(await open('pages/b/b')).toBe(true)
    await neu.navigateTo({ url: '/pages/c/c' })
    expect(log).toEqual(['asked /pages/b/b', 'over /pages/b/b', 'asked /pages/c/c', 'over /pages/c/c'])
    expect(paths()).toEqual(['pages/b/b', 'pages/c/c'])
    expect(text()).toContain('could not be loaded')
    expect(errors).toEqual([new Error('offline'), new Error('offline')])
  })

  it('are not called, as guards are not, if onBackPress keeps the page', async () => {
    const { app, router, open, pages, paths } = await start()
    await open()
    await neu.navigateTo({ url: '/pages/b/b' })
    let isKept = true
    pages()[1]!.hooks.set('onBackPress', [() => isKept])
    const log = logOf(router)
    expect(await reasonOf(neu.navigateBack())).toBe('navigateBack:fail onBackPress')
    await (await app.navigation()).follow(['/pages/a/a'])
    expect([log, paths()]).toEqual([[], ['pages/a/a', 'pages/b/b']])
    isKept = false
    await (await app.navigation()).follow(['/pages/a/a'])
    expect([log, paths()]).toEqual([['asked /pages/a/a', 'over /pages/a/a'], ['pages/a/a']])
  })
})

describe('a tap on a bar', () => {
  const bars = ['tab', 'home'] as const
  const tabU = { type: 'tab', index: 1 } as const

  it.each(bars)('reports no error if a guard or a newer navigation stops it (%s)', async (type) => {
    const { router, open, paths, carrier, errors, idle } = await start()
    await open('tabs/t/t')
    const failures: unknown[] = []
    const answers = [false, undefined]
    router.beforeEach((to, _, next) => {
      if (to.path === '/pages/b/b') return next()
      const answer = answers.shift()
      if (answer === false) next(answer)
      return undefined
    })
    router.afterEach((_, __, failure) => void failures.push(failure?.type))
    carrier.onBarEvent({ ...tabU, type })
    await idle()
    carrier.onBarEvent({ ...tabU, type })
    await vi.waitFor(() => expect(answers).toEqual([]))
    await neu.reLaunch({ url: '/pages/b/b' })
    await idle()
    expect([failures, errors, paths()]).toEqual([[4, 8, undefined], [], ['pages/b/b']])
  })

  it.each(bars)('reports what a guard throws once (%s)', async (type) => {
    const { router, open, paths, carrier, errors, idle } = await start()
    await open('tabs/t/t')
    const broken = new Error('broken')
    router.beforeEach(() => {
      throw broken
    })
    carrier.onBarEvent({ ...tabU, type })
    await idle()
    expect([errors, paths()]).toEqual([[broken], ['tabs/t/t']])
  })

  it('notifies the page of the tab, but not one that a guard redirects to', async () => {
    const tapped: unknown[] = []
    const { router, open, pages, carrier, idle } = await start()
    await open('tabs/t/t')
    pages()[0]!.hooks.set('onTabItemTap', [(tab) => tapped.push(tab)])
    const remove = router.beforeEach((to) => (to.path === '/tabs/u/u' ? '/tabs/t/t' : undefined))
    carrier.onBarEvent(tabU)
    await idle()
    expect(tapped).toEqual([])
    remove()
    carrier.onBarEvent({ type: 'tab', index: 0 })
    await idle()
    expect(tapped).toEqual([{ index: 0, text: 't', pagePath: 'tabs/t/t' }])
  })
})

it('fails if guards redirect without end', async () => {
  const { router, open } = await start()
  await open()
  router.beforeEach((to) => (to.path === '/pages/b/b' ? '/pages/c/c' : '/pages/b/b'))
  router.onError(() => {})
  await expect(router.push('/pages/b/b')).rejects.toThrow('redirect without end')
})

it('pushes, replaces and resolves addresses, tabs among them', async () => {
  const { router, open, paths } = await start()
  const ready = router.isReady()
  await open()
  await ready
  await router.push({ path: '/pages/b/b', query: { id: 1 } })
  expect(paths()).toEqual(['pages/a/a', 'pages/b/b'])
  await router.push({ path: '/pages/c/c', replace: true })
  expect(paths()).toEqual(['pages/a/a', 'pages/c/c'])
  expect(router.resolve('/pages/b/b?id=2')).toMatchObject({ href: '#/pages/b/b?id=2', query: { id: '2' } })
  await router.push('/tabs/t/t')
  expect(paths()).toEqual(['tabs/t/t'])
  await expect(router.push({})).rejects.toThrow('routes have no names')
})

it('asks options.scrollBehavior where to scroll, with the position that a page had', async () => {
  const { router, open, pages: opened } = await start()
  await open()
  const first = opened()[0]!
  const seen: unknown[] = []
  const { scrollBehavior } = router.options
  router.options.scrollBehavior = (to, from, saved) => {
    seen.push([from.path, to.path, saved])
    return scrollBehavior(to, from, saved)
  }
  first.scrollTop = 70
  await neu.navigateTo({ url: '/pages/b/b' })
  await neu.navigateBack()
  expect(seen).toEqual([
    ['/pages/a/a', '/pages/b/b', null],
    ['/pages/b/b', '/pages/a/a', { left: 0, top: 70 }],
  ])
  const scrolled: unknown[] = []
  first.controls = { scroller: {}, scrollTo: async (target: unknown) => void scrolled.push(target) } as never
  await neu.navigateTo({ url: '/pages/b/b' })
  router.options.scrollBehavior = async () => ({ top: 5 })
  await neu.navigateBack()
  await vi.waitFor(() => expect(scrolled).toEqual([{ scrollTop: 5, duration: 0 }]))
})
