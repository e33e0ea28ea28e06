import { type ComponentOptions, type ComponentPublicInstance, type Directive, nextTick } from 'vue'
import { ElementHandle } from './elementHandle.ts'

type AnyFunction = (...args: unknown[]) => unknown
/** Name in the template, language, and default export of a script module. */
type ScriptModule = readonly [name: string, lang: 'wxs' | 'renderjs', module: Record<string, unknown>]

/** Adds the script modules of a compiled component: renderjs as mixins, and all of them by name for its template. */
export function useScriptModules(component: ComponentOptions, modules: readonly ScriptModule[]): void {
  const mixins = modules.flatMap(([name, lang, module]) => [
    ...(lang === 'renderjs' ? [module as ComponentOptions] : []),
    { computed: { [name]: (it: ComponentPublicInstance) => functionsOf(it, lang, module) } },
  ])
  const owner: ComponentOptions = {
    computed: { $ownerInstance: handleOf },
  }
  component.mixins = [...(component.mixins ?? []), ...mixins, owner]
  component.directives = { ...component.directives, 'souk-change': onChange }
}

/** Returns the functions that the template calls: listeners also get a handle of the component. */
function functionsOf(
  component: ComponentPublicInstance,
  lang: ScriptModule[1],
  module: Record<string, unknown>,
): Record<string, unknown> {
  const source = lang === 'wxs' ? module : ((module as ComponentOptions).methods ?? {})
  const self = lang === 'wxs' ? module : component
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value]
      return [name, (...args: unknown[]) => (value as AnyFunction).apply(self, withOwner(args, component))]
    }),
  )
}

function withOwner(args: unknown[], component: ComponentPublicInstance): unknown[] {
  const [event, ...rest] = args
  if (!(event instanceof Event) || rest.length > 0) return args
  const target = event.currentTarget
  if (target instanceof HTMLElement) Object.assign(event, { instance: new ElementHandle(target, component) })
  return [event, handleOf(component)]
}

/** `:change:prop="module.observe"`: calls the function with the value of `prop`, its previous value and two handles. */
const onChange: Directive<HTMLElement, readonly [AnyFunction | undefined, unknown]> = {
  deep: true,
  mounted(element, { value: [observe, value], instance }) {
    void nextTick(() => observe?.(value, undefined, ...handles(element, instance)))
  },
  updated(element, { value: [observe, value], oldValue, instance }) {
    const before = oldValue?.[1]
    if (value !== before) observe?.(value, before, ...handles(element, instance))
  },
}

function handles(element: HTMLElement, instance: unknown): unknown[] {
  const component = instance as ComponentPublicInstance
  return [handleOf(component), new ElementHandle(element, component)]
}

/** Returns a handle of the first element of a component. If it has several roots, `$el` is a text node before them. */
function handleOf(component: ComponentPublicInstance): ElementHandle {
  let node = component.$el as Node
  while (!(node instanceof HTMLElement) && node.nextSibling) node = node.nextSibling
  return new ElementHandle(node as HTMLElement, component)
}
