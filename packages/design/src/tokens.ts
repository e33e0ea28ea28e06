/**
 * Design tokens: the only place that defines colors and sizes. `npm run generate` derives `tokens.css`, and the
 * console's theme reads them directly. Tokens are named by purpose, not by appearance.
 */

/** Colors of one scheme. Each `onX` has a contrast of at least 4.5:1 on `x`; a test checks this. */
export interface Palette {
  /** Page background. */
  background: string
  /** Cards, dialogs, bars. */
  surface: string
  /** Table headers, code, and other areas a step below a surface. */
  surfaceMuted: string
  /** Text on all three backgrounds. */
  text: string
  textMuted: string
  /** Dividers. */
  outline: string
  /** Borders of controls, with a contrast of at least 3:1 on the surfaces. */
  outlineStrong: string
  /** Brand color, main actions, links. */
  primary: string
  onPrimary: string
  primaryContainer: string
  onPrimaryContainer: string
  /** Highlights and the awning of the logo; not for text. */
  accent: string
  onAccent: string
  success: string
  onSuccess: string
  warning: string
  onWarning: string
  error: string
  onError: string
  info: string
  onInfo: string
}

export const light: Palette = {
  background: '#FAF7F2',
  surface: '#FFFFFF',
  surfaceMuted: '#F3EEE6',
  text: '#211E1A',
  textMuted: '#5C554B',
  outline: '#E2DACE',
  outlineStrong: '#857B6D',
  primary: '#0B6B63',
  onPrimary: '#FFFFFF',
  primaryContainer: '#D3ECE8',
  onPrimaryContainer: '#063B37',
  accent: '#E59A18',
  onAccent: '#241500',
  success: '#1B6E37',
  onSuccess: '#FFFFFF',
  warning: '#8A5200',
  onWarning: '#FFFFFF',
  error: '#B3261E',
  onError: '#FFFFFF',
  info: '#1F5FA8',
  onInfo: '#FFFFFF',
}

export const dark: Palette = {
  background: '#151412',
  surface: '#1E1C19',
  surfaceMuted: '#292621',
  text: '#F1ECE4',
  textMuted: '#BDB4A7',
  outline: '#3D3932',
  outlineStrong: '#978E81',
  primary: '#6FD3C6',
  onPrimary: '#00332E',
  primaryContainer: '#12413C',
  onPrimaryContainer: '#B9EEE6',
  accent: '#F2B44A',
  onAccent: '#2B1900',
  success: '#80CF93',
  onSuccess: '#07331A',
  warning: '#F2B44A',
  onWarning: '#2B1900',
  error: '#F7A8A1',
  onError: '#4A0A06',
  info: '#93C2F5',
  onInfo: '#052B52',
}

/** Chart series, in this order; they differ in lightness as well as in hue. */
export const series = {
  light: ['#0B6B63', '#E59A18', '#8B3A62', '#4C78B8', '#8C8375'],
  dark: ['#6FD3C6', '#F2B44A', '#E08DB5', '#93C2F5', '#A89F92'],
} as const

/**
 * Chinese and Arabic fonts that systems have. The web fonts after them are declared only in Chinese and Arabic, so that
 * a name in another script does not load hundreds of kilobytes (ADR 322).
 */
const otherScripts =
  "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Segoe UI', 'Geeza Pro', 'Noto Sans Arabic', " +
  "'Noto Sans Arabic Variable', 'Noto Sans SC Variable'"

/** Font stacks. Only Inter is loaded on every page. */
export const fonts = {
  text: `'Inter Variable', ${otherScripts}, system-ui, sans-serif`,
  code: `ui-monospace, 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', ${otherScripts}, monospace`,
} as const

/** Font sizes and line heights, in rem. */
export const type = {
  display: { size: 1.75, line: 2.25, weight: 650 },
  title: { size: 1.25, line: 1.75, weight: 620 },
  subtitle: { size: 1, line: 1.5, weight: 600 },
  body: { size: 0.9375, line: 1.5, weight: 400 },
  small: { size: 0.8125, line: 1.25, weight: 400 },
} as const

/** Spacing, in rem. */
export const space = { 1: 0.25, 2: 0.5, 3: 0.75, 4: 1, 5: 1.5, 6: 2, 7: 3, 8: 4 } as const

/** Corner radii, in px. */
export const radius = { small: 6, medium: 10, large: 16, full: 999 } as const

export const elevation = {
  light: {
    low: '0 1px 2px rgb(60 45 20 / 8%), 0 1px 3px rgb(60 45 20 / 6%)',
    high: '0 4px 12px rgb(60 45 20 / 12%), 0 16px 40px rgb(60 45 20 / 14%)',
  },
  dark: {
    low: '0 1px 2px rgb(0 0 0 / 50%)',
    high: '0 4px 12px rgb(0 0 0 / 50%), 0 16px 40px rgb(0 0 0 / 55%)',
  },
} as const
