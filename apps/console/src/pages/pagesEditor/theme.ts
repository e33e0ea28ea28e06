import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Editor theme with the console's colors, which adapt to dark mode automatically. */
export const theme = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--souk-text)', backgroundColor: 'var(--souk-surface)', fontSize: '0.8125rem' },
    // The editor's frame shows the focus; the line numbers would cover this outline.
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: 'var(--souk-font-code)', lineHeight: '1.6', fontVariantLigatures: 'none' },
    '.cm-content': { caretColor: 'var(--souk-text)', paddingBlock: '12px' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--souk-text)' },
    '.cm-gutters': {
      color: 'var(--souk-text-muted)',
      backgroundColor: 'var(--souk-surface)',
      borderRight: '1px solid var(--souk-outline)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
      backgroundColor: 'color-mix(in srgb, var(--souk-surface-muted) 60%, transparent)',
    },
    '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      backgroundColor: 'var(--souk-primary-container)',
    },
    '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--souk-primary-container)', color: 'inherit' },
    '.cm-tooltip': {
      color: 'var(--souk-text)',
      backgroundColor: 'var(--souk-surface)',
      border: '1px solid var(--souk-outline)',
      borderRadius: 'var(--souk-radius-small)',
      boxShadow: 'var(--souk-elevation-high)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--souk-font-code)', maxHeight: '14em' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      color: 'var(--souk-on-primary-container)',
      backgroundColor: 'var(--souk-primary-container)',
    },
    '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.85' },
    '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
    '.cm-completionInfo, .cm-souk-hover': {
      maxWidth: '26rem',
      padding: '8px 12px',
      fontFamily: 'var(--souk-font-text)',
      fontSize: '0.8125rem',
      lineHeight: '1.5',
    },
    ':is(.cm-completionInfo, .cm-souk-hover) ul': { paddingInlineStart: '1.2em' },
    ':is(.cm-completionInfo, .cm-souk-hover) :is(p, ul) + :is(p, ul)': { marginBlockStart: '6px' },
    '.cm-diagnostic': { maxWidth: '30rem', padding: '8px 12px', fontFamily: 'var(--souk-font-text)' },
    '.cm-diagnosticText': { display: 'block' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--souk-error)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--souk-warning)' },
    '.cm-diagnostic-info, .cm-diagnostic-hint': { borderLeftColor: 'var(--souk-info)' },
    '.cm-diagnosticSource': { opacity: '1', color: 'var(--souk-text-muted)' },
    '.cm-diagnosticAction': {
      margin: '6px 0 0',
      padding: '4px 10px',
      color: 'var(--souk-on-primary)',
      backgroundColor: 'var(--souk-primary)',
      borderRadius: 'var(--souk-radius-small)',
      cursor: 'pointer',
    },
    '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1.5px', textUnderlineOffset: '3px' },
    '.cm-lintRange-error': { textDecorationColor: 'var(--souk-error)' },
    '.cm-lintRange-warning': { textDecorationColor: 'var(--souk-warning)' },
    '.cm-lintRange-info, .cm-lintRange-hint': { textDecorationColor: 'var(--souk-info)' },
    '.cm-souk-idle, .cm-souk-idle *': { color: 'var(--souk-text-muted)', fontStyle: 'italic' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--souk-primary)' },
      { tag: tags.string, color: 'var(--souk-info)' },
      { tag: [tags.number, tags.bool], color: 'var(--souk-warning)' },
      { tag: tags.comment, color: 'var(--souk-text-muted)', fontStyle: 'italic' },
      { tag: tags.meta, color: 'var(--souk-success)', fontWeight: '600' },
    ]),
  ),
]
