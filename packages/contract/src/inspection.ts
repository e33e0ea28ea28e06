import { type Check, integer, list, number, oneOf, Refused, record, text } from './bridgeCheck.ts'

/**
 * Messages between a running mini app and an inspector. The agent in the mini app's frame sends entries over a port of
 * its own, and the host adds what it sees itself. Entries come from a mini app, and from a phone over the network:
 * every receiver checks them with `readInspection`, and shows their texts as text only.
 */

/** Limits of one message. Longer texts are cut by the agent; a message that exceeds them is refused. */
export const inspectionLimits = {
  /** Entries in a message. */
  entries: 200,
  /** Characters of a text, such as a body or a stack. */
  text: 65_536,
  /** Characters of a name, such as a header or a property. */
  name: 1024,
  /** Properties of one object, and of a value with everything in it. */
  properties: 100,
  nodes: 2000,
  /** Nesting of a value. */
  depth: 8,
  /** Entries of the storage, pages of the stack. */
  items: 200,
} as const

/** A value of the mini app, as text. */
export interface InspectedValue {
  type: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'function' | 'error' | 'object' | 'array'
  /** The value itself, or a short name of an object such as `Map(3)`. */
  text: string
  /** Properties of an object, items of an array. */
  entries?: [name: string, value: InspectedValue][]
  /** Number of properties and characters that are left out. */
  omitted?: number
}

const consoleLevels = ['debug', 'log', 'info', 'warn', 'error'] as const
export type ConsoleLevel = (typeof consoleLevels)[number]

/** Moments of a launch, in the order in which they occur. */
export const launchMarks = ['start', 'document', 'scripts', 'hello', 'welcome', 'ready', 'paint'] as const
export type LaunchMark = (typeof launchMarks)[number]

export interface ConsoleEntry {
  kind: 'console'
  /** Like all times of entries: in ms since 1970, of the device. */
  time: number
  level: ConsoleLevel
  values: InspectedValue[]
  /** Set for an uncaught error. */
  stack?: string
}

/** A header of a request or response. */
export type InspectedHeader = [name: string, value: string]

export interface RequestEntry {
  kind: 'request'
  id: number
  time: number
  method: string
  url: string
  headers: InspectedHeader[]
  body?: string
}

/** The end of a request: a response, or the reason why there is none. */
export interface ResponseEntry {
  kind: 'response'
  id: number
  time: number
  /** 0 without a response. */
  status: number
  headers: InspectedHeader[]
  body?: string
  /** Bytes of the body. */
  size?: number
  error?: string
}

export interface CallEntry {
  kind: 'call'
  id: number
  time: number
  method: string
  params: InspectedValue
}

/** The answer of the host to a call. */
export interface AnswerEntry {
  kind: 'answer'
  id: number
  time: number
  result?: InspectedValue
  errMsg?: string
}

/** The whole storage after a change. `size` is the length of the text, which may be cut. */
export interface StorageEntry {
  kind: 'storage'
  items: { key: string; text: string; size: number }[]
}

export interface InspectedPage {
  id: number
  path: string
  query: string
  /** Data of the page's component. */
  data: InspectedValue
  /** Changes of its navigation bar at run time, by functions such as `neu.setNavigationBarTitle`. */
  changes: InspectedValue
}

/** The page stack after a change, lowest page first. */
export interface PagesEntry {
  kind: 'pages'
  pages: InspectedPage[]
}

/** The mini app has started again: what was recorded before belongs to another document. */
export interface StartEntry {
  kind: 'start'
  time: number
}

export interface MarkEntry {
  kind: 'mark'
  mark: LaunchMark
  time: number
}

/** A tap on the page on top. */
export interface TapEntry {
  kind: 'tap'
  time: number
  /** Path of the page. */
  page: string
  /** Selector of the element in the page, by types and positions only: texts may be personal. */
  target: string
}

/** Actions of the user on the bars that the host draws. `back` is also the system's back action. */
const barActions = [
  'back',
  'home',
  'button',
  'tab',
  'midButton',
  'searchClicked',
  'searchChanged',
  'searchConfirmed',
  'toTop',
  'share',
] as const

export interface BarEntry {
  kind: 'bar'
  time: number
  action: (typeof barActions)[number]
  /** Of a button or a tab, counted from 0. */
  index?: number
  /** What is typed into the search. */
  text?: string
}

export type InspectionEntry =
  | StartEntry
  | MarkEntry
  | ConsoleEntry
  | RequestEntry
  | ResponseEntry
  | CallEntry
  | AnswerEntry
  | StorageEntry
  | PagesEntry
  | TapEntry
  | BarEntry

/** A command from an inspector to the agent. */
export type InspectionCommand =
  | { type: 'setStorage'; key: string; text: string }
  | { type: 'removeStorage'; key: string }
  | { type: 'clearStorage' }

/** Sent by the agent over its port. */
export interface InspectionMessage {
  entries: InspectionEntry[]
}

const time = number(0, Number.MAX_SAFE_INTEGER)
const id = integer(0, Number.MAX_SAFE_INTEGER)
const longText = text(inspectionLimits.text)
const name = text(inspectionLimits.name)
const size = integer(0, Number.MAX_SAFE_INTEGER)

const valueTypes = ['string', 'number', 'boolean', 'null', 'undefined', 'function', 'error', 'object', 'array'] as const

const value: Check<InspectedValue> = (received, at) => {
  let nodes = 0
  const node =
    (depth: number): Check<InspectedValue> =>
    (each, at) => {
      nodes++
      if (nodes > inspectionLimits.nodes) throw new Refused(at, `a value of at most ${inspectionLimits.nodes} parts`)
      if (depth > inspectionLimits.depth) throw new Refused(at, `nested at most ${inspectionLimits.depth} times`)
      return record<InspectedValue>(
        { type: oneOf(...valueTypes), text: longText },
        { entries: list(pair(name, node(depth + 1)), inspectionLimits.properties), omitted: size },
      )(each, at)
    }
  return node(0)(received, at)
}

function pair<A, B>(first: Check<A>, second: Check<B>): Check<[A, B]> {
  return (value, at) => {
    if (!Array.isArray(value) || value.length !== 2) throw new Refused(at, 'a pair')
    return [first(value[0], `${at}[0]`), second(value[1], `${at}[1]`)]
  }
}

const headers = list(pair(name, longText), inspectionLimits.properties)

const checks: { [Kind in InspectionEntry['kind']]: Check<Omit<Extract<InspectionEntry, { kind: Kind }>, 'kind'>> } = {
  start: record({ time }),
  mark: record({ mark: oneOf(...launchMarks), time }),
  console: record<Omit<ConsoleEntry, 'kind'>>(
    { time, level: oneOf(...consoleLevels), values: list(value, inspectionLimits.properties) },
    { stack: longText },
  ),
  request: record<Omit<RequestEntry, 'kind'>>(
    { id, time, method: text(32), url: longText, headers },
    { body: longText },
  ),
  response: record<Omit<ResponseEntry, 'kind'>>(
    { id, time, status: integer(0, 999), headers },
    { body: longText, size, error: longText },
  ),
  call: record({ id, time, method: name, params: value }),
  answer: record<Omit<AnswerEntry, 'kind'>>({ id, time }, { result: value, errMsg: longText }),
  storage: record({
    items: list(record({ key: name, text: longText, size }), inspectionLimits.items),
  }),
  pages: record({
    pages: list(record({ id, path: name, query: longText, data: value, changes: value }), inspectionLimits.items),
  }),
  tap: record({ time, page: name, target: name }),
  bar: record<Omit<BarEntry, 'kind'>>({ time, action: oneOf(...barActions) }, { index: size, text: longText }),
}

/** Kinds that the agent in a frame may send. The others are what the host has seen itself. */
export const agentKinds: readonly InspectionEntry['kind'][] = [
  'mark',
  'console',
  'request',
  'response',
  'storage',
  'pages',
  'tap',
]

/**
 * Checks a message with entries. Returns those that are valid and of an allowed kind; a mini app that sends something
 * else damages only its own inspection.
 */
export function readInspection(data: unknown, kinds?: readonly InspectionEntry['kind'][]): InspectionEntry[] {
  const { entries } = Object(data) as { entries?: unknown }
  if (!Array.isArray(entries)) return []
  return entries.slice(0, inspectionLimits.entries).flatMap((entry: unknown) => {
    const { kind } = Object(entry) as { kind?: unknown }
    if (typeof kind !== 'string' || !Object.hasOwn(checks, kind)) return []
    const known = kind as InspectionEntry['kind']
    if (kinds && !kinds.includes(known)) return []
    const found = checked(() => ({ kind: known, ...checks[known](entry, known) }) as InspectionEntry)
    return found ? [found] : []
  })
}

/** A command from the console to the host application on a phone (ADR 331). */
export type RemoteCommand = InspectionCommand | { type: 'restart' }

const commandChecks: { [Type in RemoteCommand['type']]: Check<Omit<Extract<RemoteCommand, { type: Type }>, 'type'>> } =
  {
    setStorage: record({ key: name, text: longText }),
    removeStorage: record({ key: name }),
    clearStorage: record({}),
    restart: record({}),
  }

/** Checks a command that came over the network. Returns undefined for an invalid one. */
export function readCommand(data: unknown): RemoteCommand | undefined {
  const { type } = Object(data) as { type?: unknown }
  if (typeof type !== 'string' || !Object.hasOwn(commandChecks, type)) return undefined
  const known = type as RemoteCommand['type']
  return checked(() => ({ type: known, ...commandChecks[known](data, known) }) as RemoteCommand)
}

/** The screen of a device in px, and its settings, as mini apps see them. */
export interface InspectedDevice {
  width: number
  height: number
  statusBarHeight: number
  safeAreaBottom: number
  /** BCP 47. */
  language: string
  theme: 'light' | 'dark'
}

/** A mini app's pages.json, for the origin of styles, with what it is resolved for and the device that shows it. */
export interface InspectedSource {
  text: string
  platform: 'Mini App' | 'App' | 'H5'
  os: 'iOS' | 'Android'
  /** Absent from older hosts. */
  device?: InspectedDevice
}

/** Report from a phone to the console. */
export interface InspectionReport {
  entries: InspectionEntry[]
  source?: InspectedSource
  /** Entries that were left out because of the limits of messages. */
  omitted?: number
}

const side = number(0, 100_000)
const device = record<InspectedDevice>({
  width: side,
  height: side,
  statusBarHeight: side,
  safeAreaBottom: side,
  language: text(100),
  theme: oneOf('light', 'dark'),
})

/** Checks a device. Returns undefined for an invalid one. */
export const readDevice = (data: unknown): InspectedDevice | undefined => checked(() => device(data, 'device'))

const source = record<InspectedSource>(
  {
    text: text(8 * inspectionLimits.text),
    platform: oneOf('Mini App', 'App', 'H5'),
    os: oneOf('iOS', 'Android'),
  },
  { device },
)

/** Checks what a phone reports, and leaves out what is invalid. */
export function readReport(data: unknown): InspectionReport {
  const received = Object(data) as Record<string, unknown>
  const found = checked(() => source(received.source, 'source'))
  const omitted = checked(() => size(received.omitted, 'omitted'))
  return {
    entries: readInspection(received),
    ...(found && { source: found }),
    ...(omitted !== undefined && { omitted }),
  }
}

function checked<T>(check: () => T): T | undefined {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}
