import { datasetOf } from '../page/datasetOf.ts'
import type { PageInstance } from '../stack/page.ts'
import { findInComponent } from './componentScope.ts'

/** A query of `createSelectorQuery`: one element, all elements of a selector, or, with null, the scrolled page. */
interface ElementQuery {
  selector: string | null
  isAll: boolean
  fields: {
    id?: boolean
    dataset?: boolean
    rect?: boolean
    size?: boolean
    scrollOffset?: boolean
    /** Attribute names. */
    properties?: string[]
    computedStyle?: string[]
    node?: boolean
    context?: boolean
  }
  callback?: ((result: never) => void) | undefined
}

interface Rect {
  id: string
  dataset: DOMStringMap
  left: number
  right: number
  top: number
  bottom: number
  width: number
  height: number
}

type Fields = ElementQuery['fields']

/** Null if no element matches. */
type QueryResult = Record<string, unknown> | Record<string, unknown>[] | null

/** The component to search in, see `findInComponent`; by default the page. */
type Scope = object | null | undefined

interface Margins {
  top?: number
  right?: number
  bottom?: number
  left?: number
}

export interface IntersectionOptions {
  /** Shares of the element in the visible area at which the listener is called; `[0]` by default. */
  thresholds?: number[]
  /** Share that the listener is assumed to know at the start; 0 by default. */
  initialRatio?: number
  /** Watches all elements of the selector instead of the first; false by default. */
  observeAll?: boolean
}

/** Collects queries about elements and runs them together. */
export interface SelectorQuery {
  /** Searches in this component only. Without one, which is a mistake, it warns and searches the page. */
  in(component: object | null | undefined): SelectorQuery
  /** Results of no element are null; callbacks are typed for the usual case that there is one. */
  select(selector: string): NodesRef<false>
  /** Asks about all elements of a selector. */
  selectAll(selector: string): NodesRef<true>
  /** Asks about the page itself, such as its scroll offset. */
  selectViewport(): NodesRef<false>
  /** Runs the queries, and calls the callback with their results in order. */
  // biome-ignore lint/suspicious/noExplicitAny: each result is that of a query, or null
  exec(callback?: (results: any[]) => void): SelectorQuery
}

interface NodesRef<IsAll extends boolean> {
  /** In px, relative to the page's top left corner. */
  boundingClientRect(callback?: (rect: Results<IsAll, Rect>) => void): SelectorQuery
  scrollOffset(callback?: (offset: Results<IsAll, ScrollOffset>) => void): SelectorQuery
  // biome-ignore lint/suspicious/noExplicitAny: the fields of the result are those that the call names
  fields(fields: Fields, callback?: (result: Results<IsAll, any>) => void): SelectorQuery
  /** Returns the element itself. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the element
  node(callback?: (result: Results<IsAll, { node: any }>) => void): SelectorQuery
  /** Returns the context that the tag has, or the component of a root element. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the type of the component
  context(callback?: (result: Results<IsAll, { context: any }>) => void): SelectorQuery
}

type Results<IsAll, Result> = IsAll extends true ? Result[] : Result

interface ScrollOffset {
  id: string
  dataset: DOMStringMap
  scrollLeft: number
  scrollTop: number
  scrollWidth: number
  scrollHeight: number
}

type Box = Record<'left' | 'right' | 'top' | 'bottom' | 'width' | 'height', number>

/** An element that has entered or left the visible area. */
interface Intersection {
  id: string
  dataset: DOMStringMap
  intersectionRatio: number
  boundingClientRect: Box
  intersectionRect: Box
  relativeRect: Box
  /** In ms since the page was loaded. */
  time: number
}

/** Notifies when elements enter or leave the visible area. */
export interface Observer {
  /** Takes an element as the visible area, with `margins` in px. */
  relativeTo(selector: string, margins?: Margins): Observer
  /** Takes the window as the visible area, with `margins` in px. */
  relativeToViewport(margins?: Margins): Observer
  /** Watches the elements of a selector, and calls the listener when they enter or leave. */
  observe(selector: string, callback: (result: Intersection) => void): void
  /** Stops watching. */
  disconnect(): void
}

export function selectorQuery(page: PageInstance): SelectorQuery {
  const queries: ElementQuery[] = []
  let scope: Scope
  const nodes = <IsAll extends boolean>(selector: string | null, isAll: IsAll): NodesRef<IsAll> => {
    const add = (fields: Fields, callback?: unknown) => {
      queries.push({ selector, isAll, fields, callback: callback as ElementQuery['callback'] })
      return query
    }
    return {
      boundingClientRect: (callback) => add({ id: true, dataset: true, rect: true, size: true }, callback),
      scrollOffset: (callback) => add({ id: true, dataset: true, scrollOffset: true }, callback),
      fields: add,
      node: (callback) => add({ node: true }, callback),
      context: (callback) => add({ context: true }, callback),
    }
  }
  const query: SelectorQuery = {
    in(component) {
      if (!component) console.warn('createSelectorQuery().in: no component was passed, so the whole page is searched.')
      scope = component ?? undefined
      return query
    },
    select: (selector) => nodes(selector, false),
    selectAll: (selector) => nodes(selector, true),
    selectViewport: () => nodes(null, false),
    exec(callback) {
      const all = measure(page, scope, queries)
      for (const [index, result] of all.entries()) queries[index]!.callback?.(result as never)
      callback?.(all)
      return query
    },
  }
  return query
}

export function intersectionObserver(
  page: PageInstance,
  component: Scope,
  { thresholds = [0], initialRatio = 0, observeAll = false }: IntersectionOptions,
): Observer {
  let root: { selector?: string; margins?: Margins } = {}
  const stops: (() => void)[] = []
  const caller = 'createIntersectionObserver'
  const observer: Observer = {
    relativeTo(selector, margins = {}) {
      root = { selector, margins }
      return observer
    },
    relativeToViewport(margins = {}) {
      root = { margins }
      return observer
    },
    observe(selector, callback) {
      const scroller = page.controls?.scroller
      if (!scroller) return
      const found = select(scroller, component, selector, caller)
      const { top = 0, right = 0, bottom = 0, left = 0 } = root.margins ?? {}
      const relativeTo = root.selector === undefined ? scroller : select(scroller, component, root.selector, caller)[0]
      if (!relativeTo) console.warn(`relativeTo: no element matches "${root.selector}", so the page is used.`)
      const init = {
        root: relativeTo ?? scroller,
        rootMargin: `${top}px ${right}px ${bottom}px ${left}px`,
        threshold: thresholds,
      }
      stops.push(observe(observeAll ? found : found.slice(0, 1), init, initialRatio, callback))
    },
    disconnect() {
      for (const stop of stops.splice(0)) stop()
    },
  }
  return observer
}

/** Returns the results in the order of the queries. */
function measure(page: PageInstance, scope: Scope, queries: ElementQuery[]): QueryResult[] {
  const scroller = page.controls?.scroller
  if (!scroller) return queries.map(({ isAll }) => (isAll ? [] : null))
  return queries.map(({ selector, isAll, fields }) => {
    if (selector === null) return measureElement(scroller, scroller, fields)
    const found = select(scroller, scope, selector, 'createSelectorQuery().in')
    if (isAll) return found.map((element) => measureElement(element, scroller, fields))
    return found[0] ? measureElement(found[0], scroller, fields) : null
  })
}

/** Notifies when the visible ratio of elements crosses a threshold. Returns a function that stops observing. */
function observe(
  elements: Element[],
  init: IntersectionObserverInit,
  initialRatio: number,
  callback: (result: Intersection) => void,
): () => void {
  const ratios = new Map<Element, number>()
  const observer = new IntersectionObserver((entries) => {
    for (const { target, intersectionRatio, boundingClientRect, intersectionRect, rootBounds, time } of entries) {
      // The first callback reports the initial state, which is only a change if it differs from `initialRatio`.
      const hasChanged = ratios.has(target) || intersectionRatio !== initialRatio
      ratios.set(target, intersectionRatio)
      if (!hasChanged) continue
      callback({
        id: target.id,
        dataset: datasetOf(target as HTMLElement),
        intersectionRatio,
        boundingClientRect: plainRect(boundingClientRect),
        intersectionRect: plainRect(intersectionRect),
        // Null only for a root in another document.
        relativeRect: (rootBounds && plainRect(rootBounds)) as Box,
        time,
      })
    }
  }, init)
  for (const element of elements) observer.observe(element)
  return () => observer.disconnect()
}

function select(scroller: HTMLElement, scope: Scope, selector: string, caller: string): Element[] {
  // Pages write `.component >>> .inner` to reach into a component.
  const plainSelector = selector.replaceAll('>>>', ' ')
  return scope ? findInComponent(scope, plainSelector, caller) : [...scroller.querySelectorAll(plainSelector)]
}

function measureElement(
  element: Element,
  scroller: HTMLElement,
  fields: ElementQuery['fields'],
): Record<string, unknown> {
  const isViewport = element === scroller
  const rect = element.getBoundingClientRect()
  const page = scroller.getBoundingClientRect()
  const style = fields.computedStyle && getComputedStyle(element)
  return {
    ...(fields.id && { id: isViewport ? '' : element.id }),
    ...(fields.dataset && { dataset: datasetOf(element as HTMLElement) }),
    ...(fields.rect && {
      left: rect.left - page.left,
      right: rect.right - page.left,
      top: rect.top - page.top,
      bottom: rect.bottom - page.top,
    }),
    ...(fields.size && { width: rect.width, height: rect.height }),
    ...(fields.scrollOffset && {
      scrollLeft: element.scrollLeft,
      scrollTop: element.scrollTop,
      scrollWidth: element.scrollWidth,
      scrollHeight: element.scrollHeight,
    }),
    ...Object.fromEntries((fields.properties ?? []).map((name) => [name, element.getAttribute(name)])),
    ...Object.fromEntries((fields.computedStyle ?? []).map((name) => [name, style![name as never]])),
    ...(fields.node && { node: nodeOf(element) }),
    ...(fields.context && {
      context: contextOf(element as Parameters<typeof contextOf>[0]),
    }),
  }
}

/** Returns the context that a tag sets, or the component of the element. */
function contextOf(element: { context?: unknown; __vueParentComponent?: { proxy: unknown } }): unknown {
  return element.context ?? element.__vueParentComponent?.proxy
}

/** Returns the element; for a canvas of uni-app, the canvas inside of it. */
function nodeOf(element: Element): Element {
  const node = element.localName === 'neu-canvas' ? element.querySelector(':scope > canvas')! : element
  return node instanceof HTMLCanvasElement ? canvasNode(node) : node
}

/** Adds the methods that pages expect of a canvas of type 2d. */
function canvasNode(canvas: HTMLCanvasElement): HTMLCanvasElement {
  return Object.assign(canvas, {
    createImage: () => new Image(),
    requestAnimationFrame: (callback: FrameRequestCallback) => requestAnimationFrame(callback),
    cancelAnimationFrame: (id: number) => cancelAnimationFrame(id),
  })
}

const plainRect = ({ left, right, top, bottom, width, height }: DOMRectReadOnly) => ({
  left,
  right,
  top,
  bottom,
  width,
  height,
})
