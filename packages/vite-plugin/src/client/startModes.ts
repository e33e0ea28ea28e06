import type { StartMode } from '@souk/pages'
import { createElement, showPanel } from './panels.ts'

const key = 'souk:start-mode'

/** Index of the mode that was chosen in this tab, -1 for none of them; undefined where nobody chose. */
export function selectedMode(): number | undefined {
  const chosen = sessionStorage.getItem(key)
  return chosen === null ? undefined : Number(chosen)
}

/** The menu of §2.15: what the app is to start with from now on. */
export function showStartModes(modes: readonly StartMode[], current: number): void {
  const choice = (index: number, name: string, place: string) => {
    const button = createElement('button', { className: 'item', type: 'button', onclick: () => choose(index) })
    button.append(name, createElement('small', { textContent: place }))
    button.setAttribute('aria-current', String(index === current))
    const item = createElement('li', {})
    item.append(button)
    return item
  }
  showPanel('start-modes', {
    icon: 'start',
    label: '',
    name: `Start mode: ${modes[current]?.name ?? 'launch page'}`,
    title: 'Start with',
    content: () => {
      const list = createElement('ul', {})
      list.append(
        choice(-1, 'Launch page', 'as in a release'),
        ...modes.map(({ name, path, query }, index) => choice(index, name, query ? `${path}?${query}` : path)),
      )
      return [list]
    },
  })
}

function choose(index: number): void {
  sessionStorage.setItem(key, String(index))
  const address = new URL(location.href)
  // Where the app was is forgotten: the mode says where it begins. An address may name a mode as well.
  address.hash = ''
  address.searchParams.delete('__souk_mode')
  // Without a hash that loads the document anew. The entry of the history keeps its state until then: one without any, the app takes for another page.
  location.replace(address)
}
