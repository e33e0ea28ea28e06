import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRenderer, getCurrentInstance, h, ref } from 'vue'
import { canvasGetImageData, createCanvasContext } from './canvasContext.ts'
import { createVideoContext } from './contexts.ts'
import { neu } from './index.ts'
import { callMap, listenToMap } from './map.ts'
import { intersectionObserver, selectorQuery } from './measure.ts'

/** A node with the parts of the DOM that are used here. Selectors match by the id in them. */
class Node {
  parent: Element | null = null
  get nextSibling(): Node | null {
    return this.parent?.children[this.parent.children.indexOf(this) + 1] ?? null
  }
}

class Element extends Node {
  children: Node[] = []
  id = ''
  readonly className: string
  readonly context: Record<string, unknown>
  play = async () => void found.push(this.className)
  /** Canvases are found, and fail to draw. */
  width = 1
  height = 1
  getContext = () => {
    found.push(this.className)
    throw new Error('drawn')
  }
  scrollLeft = 0
  constructor(className: string) {
    super()
    this.className = className
    this.context = {
      getScale: async () => found.push(className),
      on: () => found.push(className),
    }
  }
  matches(selector: string): boolean {
    return this.id !== '' && selector.includes(this.id)
  }
  querySelectorAll(selector: string): Element[] {
    return this.children
      .filter((child) => child instanceof Element)
      .flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)])
  }
  getBoundingClientRect = () => ({ left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 })
  getAttribute = () => this.className
}

/** Classes of the elements that were found. */
let found: string[] = []

const { createApp } = createRenderer<Node, Element>({
  createElement: (name) => new Element(name),
  createText: () => new Node(),
  createComment: () => new Node(),
  setText: () => {},
  setElementText: () => {},
  patchProp: (element, name, _, value) => {
    Object.assign(element, { [name]: value })
  },
  parentNode: (node) => node.parent,
  nextSibling: (node) => node.nextSibling,
  remove: () => {},
  insert(node, parent, anchor) {
    node.parent = parent
    const at = anchor ? parent.children.indexOf(anchor) : parent.children.length
    parent.children.splice(at, 0, node)
  },
})

/** Everything that pages pass as a component, of the second of three components with the same ids. */
const instances: Record<string, unknown> = {}
const [single, several] = [false, true].map((hasSeveralRoots) => ({
  props: ['name'],
  setup(props: { name: string }) {
    const internal = getCurrentInstance()!
    if (props.name === 'second')
      Object.assign(instances, { [hasSeveralRoots ? 'internalOfSeveral' : 'internal']: internal })
    const box = () => h(`box of ${props.name}`, { id: 'box' })
    return () => (hasSeveralRoots ? [h('a'), h('b', [box()]), h('c')] : h('root', [box()]))
  },
}))
const page = new Element('page')

beforeAll(() => {
  vi.stubGlobal('Element', Element)
  vi.stubGlobal('Node', Node)
  vi.stubGlobal('HTMLCanvasElement', Element)
  vi.stubGlobal('CSS', { escape: (text: string) => text })
  vi.stubGlobal('document', {
    querySelector: (selector: string) => page.querySelectorAll(selector)[0] ?? null,
    querySelectorAll: (selector: string) => page.querySelectorAll(selector),
    createElement: () => ({ getContext: () => ({ drawImage: ({ className }: Element) => found.push(className) }) }),
  })
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = ({ className }: Element) => found.push(className)
    },
  )
  createApp({
    render: () =>
      [single, several].flatMap((component) => ['first', 'second', 'third'].map((name) => h(component!, { name }))),
  }).mount(page)
})
afterAll(() => {
  vi.unstubAllGlobals()
})
const warn = vi.spyOn(console, 'warn')
beforeEach(() => {
  found = []
  warn.mockReset().mockReturnValue()
})

/** All shapes of a component that has been passed. */
function shapesOf(internal: never): Record<string, unknown> {
  const { proxy, ctx } = internal as { proxy: object; ctx: object }
  return {
    'getCurrentInstance()': internal,
    'getCurrentInstance().proxy': proxy,
    'getCurrentInstance().ctx': ctx,
    'ctx of a release': { _: internal },
    'a template ref': ref(proxy),
    'an open page': { $vm: proxy },
  }
}

const within = { controls: { scroller: page } } as never
/** All functions that take a component. */
const functions: Record<string, (component: object) => unknown> = {
  createSelectorQuery: (component) =>
    selectorQuery(within)
      .in(component)
      .select('#box')
      .fields({ properties: ['class'] }, ({ class: name }) => found.push(name as string))
      .exec(),
  createIntersectionObserver: (component) => intersectionObserver(within, component, {}).observe('#box', () => {}),
  relativeTo: (component) =>
    intersectionObserver(within, component, {})
      .relativeTo('#box')
      .observe('#box', () => {}),
  createVideoContext: (component) => createVideoContext('box', component).play(),
  createMapContext: (component) => callMap('box', component, 'getScale', {}),
  'createMapContext().on': (component) => listenToMap('box', component, 'tap', () => {}),
  createCanvasContext: async (component) => {
    createCanvasContext('box', component).draw()
    await Promise.resolve()
  },
  canvasGetImageData: (component) => canvasGetImageData({ canvasId: 'box', component }),
  'neu.canvasGetImageData': (component) => neu.canvasGetImageData({ canvasId: 'box' }, component),
  'neu.canvasToTempFilePath': (component) => neu.canvasToTempFilePath({ canvasId: 'box' }, component),
}

describe.each(Object.keys(functions))('%s', (name) => {
  const run = async (component: unknown) => {
    const error = vi.spyOn(console, 'error').mockReturnValue()
    try {
      await functions[name]!(component as object)
    } catch {
      // A canvas that is found, or a map that is not.
    } finally {
      error.mockRestore()
    }
  }

  test.each(['internal', 'internalOfSeveral'])('searches in the component, %s', async (kind) => {
    for (const [shape, component] of Object.entries(shapesOf(instances[kind] as never))) {
      found = []
      await run(component)
      expect({ shape, found: [...new Set(found)] }).toEqual({ shape, found: ['box of second'] })
    }
    expect(warn).not.toHaveBeenCalled()
  })

  test('searches in an element', async () => {
    await run(page.children.filter((child) => child instanceof Element)[1])
    expect([...new Set(found)]).toEqual(['box of second'])
  })

  test.each([[{}], [{ $el: 1 }], [[]], ['box'], [() => {}]])(
    'warns of %j, and does not search the page',
    async (other) => {
      await run(other)
      expect(found).toEqual([])
      expect(warn).toHaveBeenCalled()
    },
  )
})

test('createSelectorQuery().in without a component warns', () => {
  selectorQuery(within).in(null).exec()
  expect(warn).toHaveBeenCalledOnce()
})
