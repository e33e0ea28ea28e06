import {
  type ConsoleLevel,
  type InspectedPage,
  type InspectionCommand,
  type InspectionEntry,
  type InspectionMessage,
  inspectionLimits,
} from '@souk/contract/inspection'
import { cut, describe } from '@souk/shell/describe'
import { effect } from 'vue'
import type { CarrierStorage, FrameCarrier } from '../carriers/carrier.ts'
import { formatUrl } from '../stack/address.ts'
import { running } from '../stack/app.ts'
import type { PageInstance } from '../stack/page.ts'
import { openPages } from '../stack/stackState.ts'
import { watchRequests } from './requests.ts'

/**
 * The agent of the inspector, loaded into a mini app while someone inspects it. It reports what the mini app does over
 * its own port, and changes the storage when the inspector asks for it.
 */

const levels: readonly ConsoleLevel[] = ['debug', 'log', 'info', 'warn', 'error']

/** Delay with which changes are reported together, in ms. */
const batchDelay = 50

type Send = (entry: InspectionEntry) => void

let queue: InspectionEntry[] = []
let inspector: MessagePort | undefined

/** Starts reporting to an inspector, which may be another one than before. */
export function startAgent(port: MessagePort, carrier: FrameCarrier): void {
  const isFirst = inspector === undefined
  inspector?.close()
  inspector = port
  port.onmessage = ({ data }: MessageEvent<InspectionCommand>) => run(data, carrier.storage)
  if (isFirst) {
    watchConsole(send)
    watchErrors(send)
    watchRequests(send)
    watchTaps(send)
    watchStorage(carrier.storage)
  }
  watchLaunch(send)
  reportStorage(carrier.storage)
  reportPages()
}

const send: Send = (entry) => {
  if (queue.length === 0) setTimeout(flush, batchDelay)
  queue.push(entry)
  // A mini app that logs in a loop must not fill the memory.
  if (queue.length > 10 * inspectionLimits.entries) queue = queue.slice(-inspectionLimits.entries)
}

function flush(): void {
  const entries = queue
  queue = []
  for (let at = 0; at < entries.length; at += inspectionLimits.entries) {
    const message: InspectionMessage = { entries: entries.slice(at, at + inspectionLimits.entries) }
    inspector?.postMessage(message)
  }
}

function run(command: InspectionCommand, storage: CarrierStorage): void {
  try {
    if (command.type === 'setStorage') storage.set(command.key, command.text)
    else if (command.type === 'removeStorage') storage.remove(command.key)
    else storage.clear()
  } catch (error) {
    console.error(error)
  }
}

function watchConsole(send: Send): void {
  let isReporting = false
  for (const level of levels) {
    const original = console[level]
    console[level] = (...values: unknown[]) => {
      original.apply(console, values)
      // A getter of a value may log as well.
      if (isReporting) return
      isReporting = true
      try {
        const shown = values.slice(0, inspectionLimits.properties).map((value) => describe(value))
        send({ kind: 'console', time: Date.now(), level, values: shown })
      } finally {
        isReporting = false
      }
    }
  }
}

function watchErrors(send: Send): void {
  const report = (text: string, stack?: unknown) =>
    send({
      kind: 'console',
      time: Date.now(),
      level: 'error',
      values: [{ type: 'string', text: cut(text) }],
      ...(typeof stack === 'string' && { stack: cut(stack) }),
    })
  addEventListener('error', ({ message, error }) => report(message, (error as Error | undefined)?.stack))
  addEventListener('unhandledrejection', ({ reason }) =>
    report(`Unhandled rejection: ${String(reason)}`, (reason as Error | undefined)?.stack),
  )
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    report(`Blocked by the content security policy (${effectiveDirective}): ${blockedURI}`),
  )
}

function watchTaps(send: Send): void {
  addEventListener(
    'click',
    ({ target, isTrusted }) => {
      const page = (running && openPages(running.stackState).at(-1)?.path) ?? ''
      const path = target instanceof Element ? targetOf(target) : undefined
      if (isTrusted && path)
        send({ kind: 'tap', time: Date.now(), page: cut(page, inspectionLimits.name), target: path })
    },
    { capture: true },
  )
}

/**
 * Returns the selector of an element in its page; undefined outside of pages, and for an element too deep in it.
 */
function targetOf(element: Element): string | undefined {
  const steps: string[] = []
  for (let at: Element | null = element; at && at.localName !== 'neu-page'; at = at.parentElement) {
    const { localName, parentElement } = at
    const same = [...(parentElement?.children ?? [])].filter((each) => each.localName === localName)
    steps.unshift(`${CSS.escape(localName)}:nth-of-type(${same.indexOf(at) + 1})`)
    if (!parentElement) return undefined
  }
  const selector = steps.join('>')
  return selector.length <= inspectionLimits.name ? selector : undefined
}

function watchStorage(storage: CarrierStorage): void {
  const { set, remove, clear } = storage
  const reporting =
    <A extends unknown[]>(change: (...args: A) => void) =>
    (...args: A) => {
      change(...args)
      reportStorage(storage)
    }
  Object.assign(storage, { set: reporting(set), remove: reporting(remove), clear: reporting(clear) })
}

let isStoragePending = false

/** Reports the storage once for several changes in a row, limited in size because the storage is large. */
function reportStorage(storage: CarrierStorage): void {
  if (isStoragePending) return
  isStoragePending = true
  setTimeout(() => {
    isStoragePending = false
    let characters = 4 * inspectionLimits.text
    const items = storage
      .keys()
      .slice(0, inspectionLimits.items)
      .map((key) => {
        const whole = storage.get(key) ?? ''
        const text = whole.slice(0, Math.min(characters, inspectionLimits.text))
        characters -= text.length
        return { key: cut(key, inspectionLimits.name), text, size: whole.length }
      })
    send({ kind: 'storage', items })
  }, batchDelay)
}

let stopPages = () => {}

/** Reports the page stack, and again when a page or its data change. */
function reportPages(): void {
  stopPages()
  if (!running) {
    // The agent is loaded before the app is created.
    const timer = setTimeout(reportPages, batchDelay)
    stopPages = () => clearTimeout(timer)
    return
  }
  const { stackState } = running
  let timer: ReturnType<typeof setTimeout> | undefined
  const runner = effect(
    () => {
      // The entries of the stack are not reactive, but change together with the view.
      void stackState.view.top
      void stackState.view.rendered
      send({ kind: 'pages', pages: openPages(stackState).slice(-inspectionLimits.items).map(describePage) })
    },
    {
      scheduler() {
        timer ??= setTimeout(() => {
          timer = undefined
          runner()
        }, 4 * batchDelay)
      },
    },
  )
  stopPages = () => {
    clearTimeout(timer)
    runner.effect.stop()
  }
}

function describePage(page: PageInstance): InspectedPage {
  return {
    id: page.id,
    path: cut(page.path, inspectionLimits.name),
    query: cut(formatUrl(page).split('?')[1] ?? ''),
    data: describe(dataOf(page)),
    changes: describe(page.overrides),
  }
}

/** The parts of a component's instance that hold its data. */
interface ComponentState {
  data: object
  setupState: object
  exposed: object | null
}

/**
 * Returns the data of a page: of its options and its setup. In a release, the state of `<script setup>` is part of the
 * render function, except for what the page exposes.
 */
function dataOf({ vm }: PageInstance): object {
  if (!vm) return {}
  const { data, setupState, exposed } = vm.$ as unknown as ComponentState
  const computed = Object.keys((vm.$options as { computed?: object }).computed ?? {})
  const all = {
    ...vm.$props,
    ...data,
    ...setupState,
    ...exposed,
    ...Object.fromEntries(computed.map((name) => [name, (vm as unknown as Record<string, unknown>)[name]])),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isData(value)))
}

/** Returns whether a value is data: setup also returns imports, such as functions and components. */
function isData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function'
  return !['render', 'setup', '__file', '__v_skip'].some((key) => key in value)
}

function watchLaunch(send: Send): void {
  const at = (time: number) => performance.timeOrigin + time
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation) send({ kind: 'mark', mark: 'document', time: at(navigation.responseEnd) })
  const scripts = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
    /\.m?js(?:$|\?)/.test(name),
  )
  const beforeRun = scripts.filter(({ startTime }) => startTime < (navigation?.domInteractive ?? 0))
  if (beforeRun.length > 0)
    send({ kind: 'mark', mark: 'scripts', time: at(Math.max(...beforeRun.map(({ responseEnd }) => responseEnd))) })
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
      if (name === 'first-contentful-paint') send({ kind: 'mark', mark: 'paint', time: at(startTime) })
  }).observe({ type: 'paint', buffered: true })
}
