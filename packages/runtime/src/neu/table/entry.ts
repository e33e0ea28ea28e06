import type { BridgeMethod } from '@souk/contract/bridge'
import type { FailureName } from './failures.ts'

/**
 * Parts of which the table of functions consists. Nothing of the table is loaded in the page: `npm run generate`
 * writes what the page needs of it, and TypeScript derives the types of the functions.
 */

/**
 * async: takes options, with callbacks or a promise. sync: returns its result. event: adds or removes a listener.
 * object: returns an object with methods, or is one.
 */
export type Kind = 'async' | 'sync' | 'event' | 'object'

/** Carries a type. */
export interface Type<T> {
  /** Never set. */
  readonly as?: T
}

export const type = <T>(): Type<T> => ({})

export type CheckedType = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** An option of a function that takes options. */
export interface Option<T = unknown> extends Type<T> {
  /** Checked at run time; other options are only described to TypeScript. */
  readonly checked?: CheckedType
  /** Accepted because uni-app documents it, but without effect. */
  readonly isIgnored?: true
}

export interface RequiredOption<T = unknown> extends Option<T> {
  readonly isRequired: true
}

export const text: Option<string> = { checked: 'string' }
export const number: Option<number> = { checked: 'number' }
export const flag: Option<boolean> = { checked: 'boolean' }
export const object = <T extends object>(): Option<T> => ({ checked: 'object' })
export const list = <T>(): Option<T[]> => ({ checked: 'array' })
/** A string of which TypeScript checks the value, too. */
export const word = <T extends string>(): Option<T> => ({ checked: 'string' })
/** An option that is not checked at run time, because some projects pass other values that work. */
export const unchecked = <T>(): Option<T> => ({})
export const ignored = <T>(): Option<T> => ({ isIgnored: true })
export const required = <T>(option: Option<T>): RequiredOption<T> => ({ ...option, isRequired: true })

/** Where a function runs: in the mini app's own document, or in the host application over the bridge. */
export interface Places {
  readonly H5: 'page' | 'missing'
  /** App and Mini App. */
  readonly frame: 'page' | 'host' | 'missing'
}

/** Runs in the document on every platform. */
export const inPage = { H5: 'page', frame: 'page' } as const satisfies Places
/** Runs in the document on H5, and in the host of a frame. */
export const inHost = { H5: 'page', frame: 'host' } as const satisfies Places
/** Needs a host. On H5 only the development server has one. */
export const hostOnly = { H5: 'missing', frame: 'host' } as const satisfies Places

interface Details extends Places {
  /** The module of `neu` that implements it, without `.ts`. */
  readonly module: string
  /** The module is loaded when one of its functions is called, because few apps call them. */
  readonly isLoadedWhenCalled?: true
  /** The method of the host that it calls. The question that the host asks the user first is in the contract. */
  readonly method?: BridgeMethod
  /** Gives the app temporary files, whose number is limited. */
  readonly makesTempFiles?: true
  /** The mini app needs it, as the operator approves it. */
  readonly capability?: 'login' | 'payment' | 'notification'
  /** Failures besides those that follow from the options, the platforms and the question of the host. */
  readonly fails?: readonly FailureName[]
  /** Difference to the function of this name in uni-app. */
  readonly differs?: string
}

interface AsyncDetails extends Details {
  readonly options?: { readonly [name: string]: Option }
  /** By default a result has `errMsg` only. */
  readonly result?: Type<unknown>
  /** Controls a running call. Returned in both styles of calls. */
  readonly task?: Type<unknown>
  /** Takes a component after the options, and gets it as the option `component`. */
  readonly takesComponent?: true
}

interface OtherDetails extends Details {
  /** The type of the function. */
  readonly is: Type<unknown>
}

/** A function that takes options, with callbacks or a promise. */
export const call = <const D extends AsyncDetails>(details: D) => ({ kind: 'async' as const, ...details })
/** A function that returns its result. */
export const sync = <const D extends OtherDetails>(details: D) => ({ kind: 'sync' as const, ...details })
/** A function that adds or removes a listener. */
export const event = <const D extends OtherDetails>(details: D) => ({ kind: 'event' as const, ...details })
/** A function that returns an object with methods, or an object. */
export const gives = <const D extends OtherDetails>(details: D) => ({ kind: 'object' as const, ...details })

/** Types of the functions that add and remove a listener. Without a listener, `off` functions remove all. */
export type On<Event = void> = (listener: (event: Event) => void) => void
export type Off<Event = void> = (listener?: (event: Event) => void) => void

/** A function of the table as other code reads it. */
export interface Entry extends Places {
  readonly kind: Kind
  readonly module?: string
  readonly isLoadedWhenCalled?: true
  readonly method?: BridgeMethod
  readonly makesTempFiles?: true
  readonly capability?: 'login' | 'payment' | 'notification'
  readonly fails?: readonly FailureName[]
  readonly differs?: string
  readonly options?: { readonly [name: string]: Option & { readonly isRequired?: true } }
  readonly task?: Type<unknown>
  readonly takesComponent?: true
}
