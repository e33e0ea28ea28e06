import type { DisplayedDiagnostic } from './displayedDiagnostic.ts'
import { createElement, showPanel } from './panels.ts'

/**
 * Shows the diagnostics of pages.json, and those of each change. They are requested, because a message about a change
 * while this page is loaded would be lost.
 */
export function watchDiagnostics(): void {
  import.meta.hot?.on('souk:diagnostics', showDiagnostics)
  import.meta.hot?.send('souk:diagnostics')
}

/** The panel opens automatically on errors; warnings only add a button. */
function showDiagnostics(shown: readonly DisplayedDiagnostic[]): void {
  const errors = shown.filter(({ severity }) => severity === 'error').length
  const counts = [counted(errors, 'error'), counted(shown.length - errors, 'warning')].filter(Boolean).join(', ')
  const tone = errors > 0 ? 'error' : 'warning'
  showPanel(
    'diagnostics',
    shown.length === 0
      ? undefined
      : {
          label: counts,
          name: `pages.json: ${counts}`,
          tone,
          title: `pages.json: ${counts}`,
          isOpen: errors > 0,
          content: () => [...shown].sort((a, b) => rank(a) - rank(b)).flatMap(entry),
        },
  )
}

function entry({ severity, code, message, frame, file, line, column }: DisplayedDiagnostic): HTMLElement[] {
  const open = createElement('button', {
    className: 'item',
    type: 'button',
    onclick: () => void fetch(`/__open-in-editor?file=${encodeURIComponent(`${file}:${line}:${column}`)}`),
  })
  open.append(message, createElement('small', { textContent: `${severity}[${code}] pages.json:${line}:${column}` }))
  open.title = 'Open in editor'
  // Skip the first line of the frame: the message is shown above, with line breaks.
  return [open, createElement('pre', { textContent: frame.slice(frame.indexOf('\n') + 1) })]
}

const counted = (count: number, noun: string) => (count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`)

const rank = ({ severity }: DisplayedDiagnostic) => (severity === 'error' ? 0 : 1)
