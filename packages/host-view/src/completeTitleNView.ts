import type { PageStyle, Platform } from '@souk/pages'
import { faded } from '@souk/shell/bars'
import {
  backButtonDefaults,
  buttonDefaults,
  searchInputDefaults,
  splitLineDefaults,
  titleNViewDefaults,
} from '@souk/shell/defaults.generated'

/** An object of a manifest, which the mini app's server sends. */
type Written = Record<string, unknown>

/**
 * Completes the `titleNView` of a release of Souk 0.1, whose build left out what was not written. Newer builds contain
 * all values of a bar, which stay.
 */
export function completeTitleNView(style: PageStyle, platform: Platform): PageStyle {
  const key = platform === 'H5' ? 'h5' : 'app-plus'
  const bar = style[key]?.titleNView as Written | false | undefined
  if (typeof bar !== 'object' || bar === null) return style
  const titleColor = bar.titleColor ?? (style.navigationBarTextStyle === 'black' ? '#000000' : '#FFFFFF')
  const button = (own: Written | undefined, defaults: object) => {
    const color = String(own?.color ?? titleColor)
    return { ...defaults, color, colorPressed: faded(color), ...own }
  }
  const titleNView = {
    ...titleNViewDefaults,
    titleColor,
    subtitleColor: titleColor,
    ...bar,
    backButton: button(bar.backButton as Written | undefined, {
      ...backButtonDefaults,
      ...(bar.type === 'transparent' && { fontSize: '22px' }),
    }),
    ...(Array.isArray(bar.buttons) && { buttons: bar.buttons.map((each) => button(each, buttonDefaults)) }),
    ...(typeof bar.splitLine === 'object' &&
      bar.splitLine && { splitLine: { ...splitLineDefaults, ...bar.splitLine } }),
    ...(bar.searchInput ? { searchInput: { ...searchInputDefaults, ...bar.searchInput } } : {}),
  }
  return { ...style, [key]: { ...style[key], titleNView } } as PageStyle
}
