/**
 * Development panels: small buttons at the side of the page that open panels. They live in a shadow tree,
 * isolated from the app's styles.
 */
const style = `
:host { all: initial; position: fixed; inset-block-end: 30%; inset-inline-end: 0; z-index: 2147483000; display: flex; flex-direction: column; align-items: flex-end;
  gap: 6px; font: 13px/1.45 system-ui, sans-serif; color: #f4f4f8; pointer-events: none }
button { font: inherit; color: inherit; background: none; border: 0; margin: 0; cursor: pointer; text-align: start }
button:focus-visible { outline: 2px solid #8ab4ff; outline-offset: -2px }
.opener { pointer-events: auto; min-inline-size: 36px; min-block-size: 32px; padding: 4px 10px; background: #25263a; border-start-start-radius: 8px; border-end-start-radius: 8px;
  box-shadow: 0 1px 6px #0006; text-align: center }
.opener[data-tone='error'] { background: #b3202c }
.opener[data-tone='warning'] { background: #7a5200 }
.panel { pointer-events: auto; position: fixed; inset-block-end: 96px; inset-inline: 12px; max-block-size: calc(100vh - 160px); max-inline-size: 720px; margin-inline: auto; overflow: auto; box-sizing: border-box;
  padding: 12px 16px; background: #1b1c2b; border-radius: 10px; box-shadow: 0 4px 24px #0009 }
h2 { font-size: 14px; margin: 0 0 8px; padding-inline-end: 32px }
.close { position: absolute; inset-block-start: 6px; inset-inline-end: 6px; inline-size: 32px; block-size: 32px; text-align: center }
ul { list-style: none; margin: 0; padding: 0 }
.item { display: block; inline-size: 100%; padding: 8px; border-radius: 6px }
.item:hover { background: #ffffff14 }
.item[aria-current='true'] { background: #ffffff22; font-weight: 600 }
small { display: block; color: #b9bacb; font-weight: 400 }
pre { margin: 4px 0 12px; padding: 8px; overflow: auto; background: #0d0e17; border-radius: 6px; font: 12px/1.5 ui-monospace, monospace; direction: ltr; text-align: left }
`

const svgIcon = (path: string) =>
  `<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${path}"/></svg>`

const icons = { start: svgIcon('M4.5 2.5v11l9-5.5z'), close: svgIcon('M4 4l8 8M12 4l-8 8') }

let root: ShadowRoot | undefined

function panelRoot(): ShadowRoot {
  if (root) return root
  const element = document.createElement('souk-development')
  root = element.attachShadow({ mode: 'open' })
  const sheet = document.createElement('style')
  sheet.textContent = style
  root.append(sheet)
  document.documentElement.append(element)
  return root
}

export interface Panel {
  icon?: keyof typeof icons
  /** Button text after the icon. */
  label: string
  /** Accessible name of the button. */
  name: string
  tone?: 'error' | 'warning'
  title: string
  /** Opens the panel immediately. */
  isOpen?: boolean
  content(): HTMLElement[]
}

/** Shows a panel, replacing the previous one with the same key; `undefined` removes it. */
export function showPanel(key: string, panel: Panel | undefined): void {
  for (const old of root?.querySelectorAll(`[data-key="${key}"]`) ?? []) old.remove()
  if (panel === undefined) return
  const opener = createElement('button', { className: 'opener', type: 'button' })
  if (panel.icon) opener.innerHTML = icons[panel.icon]
  opener.append(panel.label)
  opener.dataset.key = key
  opener.setAttribute('aria-label', panel.name)
  opener.setAttribute('aria-expanded', 'false')
  if (panel.tone) opener.dataset.tone = panel.tone
  let box: HTMLElement | undefined

  const close = () => {
    box?.remove()
    box = undefined
    opener.setAttribute('aria-expanded', 'false')
    opener.focus()
  }
  const open = () => {
    const closer = createElement('button', { className: 'close', type: 'button', onclick: close })
    closer.innerHTML = icons.close
    closer.setAttribute('aria-label', 'Close')
    box = createElement('section', { className: 'panel' })
    box.dataset.key = key
    box.setAttribute('role', 'dialog')
    box.setAttribute('aria-label', panel.title)
    box.append(createElement('h2', { textContent: panel.title }), closer, ...panel.content())
    box.addEventListener('keydown', (event) => onKey(event, box!, close))
    opener.before(box)
    opener.setAttribute('aria-expanded', 'true')
  }
  opener.onclick = () => {
    if (box) return close()
    open()
    const first =
      box!.querySelector<HTMLElement>('[aria-current="true"]') ?? box!.querySelector<HTMLElement>('.item, .close')
    first?.focus()
  }
  panelRoot().append(opener)
  if (panel.isOpen) open()
}

function onKey(event: KeyboardEvent, box: HTMLElement, close: () => void): void {
  if (event.key === 'Escape') close()
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const items = [...box.querySelectorAll<HTMLElement>('.item')]
    if (items.length === 0) return
    const at = items.indexOf(event.target as HTMLElement)
    items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus()
  } else return
  event.preventDefault()
  // Keep keys for the panel away from the app.
  event.stopPropagation()
}

export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(tag), properties)
}
