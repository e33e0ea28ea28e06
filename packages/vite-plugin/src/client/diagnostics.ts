import { createElement, showPanel } from './panels.ts'

/** A diagnostic of pages.json, as the build sends it. */
export interface DisplayedDiagnostic {
  severity: 'error' | 'warning'
  code: string
  message: string
  /** As the terminal shows it. */
  frame: string
  /** Absolute. */
  file: string
  line: number
  column: number
}

/** What is wrong with pages.json. Errors are there at once, warnings behind a button. */
export function showDiagnostics(shown: readonly DisplayedDiagnostic[]): void {
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
  open.title = 'Open in the editor'
  // Its first line is the message, which here is broken where there is no more room.
  return [open, createElement('pre', { textContent: frame.slice(frame.indexOf('\n') + 1) })]
}

const counted = (count: number, noun: string) => (count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`)

/** Errors come first. */
const rank = ({ severity }: DisplayedDiagnostic) => (severity === 'error' ? 0 : 1)
