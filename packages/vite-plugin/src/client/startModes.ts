import type { StartMode } from '@souk/pages'
import { createElement, showPanel } from './panels.ts'

const key = 'souk:start-mode'

/** Returns the index of the mode selected in this tab, -1 for the launch page, undefined if none was selected. */
export function selectedMode(): number | undefined {
  const chosen = sessionStorage.getItem(key)
  return chosen === null ? undefined : Number(chosen)
}

/** Shows the menu of start modes (pages-json §2.15). */
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
  // Drop the current page and a mode in the URL: both would override the selected mode.
  address.hash = ''
  address.searchParams.delete('__souk_mode')
  // A URL without a hash reloads the document. replace() keeps the state of the history entry until then.
  location.replace(address)
}
