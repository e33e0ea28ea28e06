import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete'
import type { Diagnostic as Mark } from '@codemirror/lint'
import type { EditorState, Text } from '@codemirror/state'
import { type EditorView, hoverTooltip } from '@codemirror/view'
import {
  complete,
  type Diagnostic,
  type Edit,
  hover,
  isUnnecessary,
  messageOf,
  type Completion as Offer,
  type PagesConfig,
  readPages,
} from '@souk/pages'
import { drawMarkdown } from './markdown.ts'

/** Adapts the pages.json engine to CodeMirror, as packages/language-server does for other editors. */

const configs = new WeakMap<Text, PagesConfig>()

function configOf({ doc }: EditorState): PagesConfig {
  const config = configs.get(doc) ?? readPages(doc.toString())
  configs.set(doc, config)
  return config
}

/** Completes keys, values and page paths. */
export const completion = autocompletion({ override: [offers], icons: false })

/** Text before the cursor that opens the completion list automatically. */
const triggers = /["/:\w-]$/

function offers({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  if (!explicit && !triggers.test(state.sliceDoc(Math.max(0, pos - 1), pos))) return null
  const found = complete(configOf(state), pos)
  const [first] = found
  if (first === undefined) return null
  // Labels have no quotes, so compare them with the text after the quote.
  const isQuoted = state.sliceDoc(first.offset, first.offset + 1) === '"'
  return { from: isQuoted && first.offset < pos ? first.offset + 1 : first.offset, options: found.map(optionOf) }
}

function optionOf(offer: Offer): Completion {
  const { label, kind, detail, markdown } = offer
  return {
    label,
    detail,
    type: kind,
    info: () => drawMarkdown(markdown),
    boost: detail === 'default' ? 1 : 0,
    apply: (view, option) => insert(view, option, offer),
  }
}

/** Moves the cursor into an empty value and opens the completion list. */
function insert(view: EditorView, option: Completion, { offset, length, text }: Offer): void {
  const empty = /(?:""|\[\]|\{\}),?$/.exec(text)?.[0]
  const anchor = offset + text.length - (empty ? empty.length - 1 : /,$/.test(text) ? 1 : 0)
  view.dispatch({
    changes: { from: offset, to: offset + length, insert: text },
    selection: { anchor },
    userEvent: 'input.complete',
    annotations: pickedCompletion.of(option),
  })
  if (empty?.startsWith('"')) startCompletion(view)
}

/** Shows the documentation of the attribute under the pointer. */
export const hoverText = hoverTooltip(({ state }, pos) => {
  const found = hover(configOf(state), pos)
  if (found === undefined) return null
  const create = () => {
    const dom = drawMarkdown(found.markdown)
    dom.className = 'cm-souk-hover'
    dom.lang = 'en'
    return { dom }
  }
  return { pos: found.offset, end: found.offset + found.length, above: true, create }
})

/** Converts a diagnostic to CodeMirror's format. `apply` receives the edits of its fix. */
export function markOf(diagnostic: Diagnostic, apply: (edits: readonly Edit[]) => void): Mark {
  const { offset, length, severity, code, fix } = diagnostic
  return {
    from: offset,
    to: offset + length,
    severity,
    message: messageOf(diagnostic),
    source: code,
    ...(isUnnecessary(diagnostic) && { markClass: 'cm-souk-idle' }),
    ...(fix && { actions: [{ name: fix.title, apply: () => apply(fix.edits) }] }),
  }
}
