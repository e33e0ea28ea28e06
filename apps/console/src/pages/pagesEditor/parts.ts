import type { Preview } from '@souk/host-view/preview'
import { type Explanation, explain, type PagesConfig, type ResolveOptions, tables } from '@souk/pages'

/** A part of the screen that attributes configure. */
export interface Part {
  kind:
    | 'statusBar'
    | 'bar'
    | 'title'
    | 'back'
    | 'home'
    | 'button'
    | 'search'
    | 'page'
    | 'refresh'
    | 'tabBar'
    | 'tab'
    | 'midButton'
  /** Index of a button or tab, from 0. */
  index?: number
}

export const isSame = (a: Part, b: Part) => a.kind === b.kind && a.index === b.index

/** Returns the parts of a page, from top to bottom. */
export function partsOf({ bars: { navigationBar: bar, tabBar }, refresh }: Preview): Part[] {
  return [
    { kind: 'statusBar' },
    { kind: 'bar' },
    ...(bar.isShown
      ? [
          ...(bar.backButton ? [{ kind: 'back' } as const] : []),
          ...(bar.homeButton ? [{ kind: 'home' } as const] : []),
          bar.searchInput ? ({ kind: 'search' } as const) : ({ kind: 'title' } as const),
          ...bar.buttons.map((_, index) => ({ kind: 'button', index }) as const),
        ]
      : []),
    { kind: 'page' },
    ...(refresh ? [{ kind: 'refresh' } as const] : []),
    ...(tabBar
      ? [
          { kind: 'tabBar' } as const,
          ...tabBar.tabs.flatMap(({ isVisible }, index) => (isVisible ? [{ kind: 'tab', index } as const] : [])),
          ...(tabBar.midButton ? [{ kind: 'midButton' } as const] : []),
        ]
      : []),
  ]
}

/** Returns the part that an element belongs to, if no event of the bar reports it. */
export function partAt(element: Element): Part | undefined {
  const kinds = {
    '.neu-navbar-middle': 'title',
    '.neu-navbar': 'bar',
    '.neu-tabbar': 'tabBar',
    '.neu-preview-status': 'statusBar',
    '.neu-preview-refresh': 'refresh',
    '.neu-preview-body': 'page',
  } as const
  const found = Object.entries(kinds).find(([selector]) => element.closest(selector))
  return found && { kind: found[1] }
}

const under = (way: string, table: 'button' | 'backButton' | 'searchInput' | 'pullToRefresh' | 'tab' | 'midButton') =>
  tables[table].rows.map(({ attribute }) => `${way}.${attribute}`)

const titleNView = (...keys: string[]) => keys.map((key) => `titleNView.${key}`)

/** Returns the attributes that configure a part, by precedence. */
function namesFor({ kind, index }: Part): string[] {
  switch (kind) {
    case 'statusBar':
      return ['navigationBarTextStyle']
    case 'bar':
      return [
        ...titleNView('backgroundColor'),
        ...['navigationBarBackgroundColor', 'navigationStyle', 'navigationBarShadow', 'transparentTitle'],
        ...['titlePenetrate', 'titleNView'],
        ...titleNView('type', 'backgroundImage', 'backgroundRepeat', 'blurEffect', 'coverage', 'splitLine'),
      ]
    case 'title':
      return [
        ...['titleImage', 'titleNView.titleText', 'navigationBarTitleText'],
        ...['titleNView.titleColor', 'navigationBarTextStyle'],
        ...titleNView('titleSize', 'titleAlign', 'titleOverflow', 'titleIcon', 'titleIconRadius'),
        ...titleNView('subtitleText', 'subtitleColor', 'subtitleSize', 'subtitleOverflow'),
      ]
    case 'back':
      return [...titleNView('autoBackButton'), ...under('titleNView.backButton', 'backButton')]
    case 'home':
      return titleNView('homeButton', 'titleColor')
    case 'button':
      return under(`titleNView.buttons[${index}]`, 'button')
    case 'search':
      return under('titleNView.searchInput', 'searchInput')
    case 'page':
      return [
        ...['backgroundColor', 'app-plus.background', 'onReachBottomDistance', 'enablePullDownRefresh'],
        ...['pageOrientation', 'animationType', 'animationDuration', 'disableSwipeBack', 'maxWidth'],
        ...['app-plus.softinputMode', 'app-plus.scrollIndicator', 'app-plus.bounce'],
      ]
    case 'refresh':
      return [...['enablePullDownRefresh', 'backgroundTextStyle'], ...under('pullToRefresh', 'pullToRefresh')]
    case 'tabBar':
      return tables.tabBar.rows
        .map(({ attribute }) => `tabBar.${attribute}`)
        .filter((attribute) => attribute !== 'tabBar.list' && attribute !== 'tabBar.midButton')
    case 'tab':
      return under(`tabBar.list[${index}]`, 'tab')
    case 'midButton':
      return under('tabBar.midButton', 'midButton')
  }
}

/** Explains each attribute of a part. Omits attributes that do not apply here or have no value. */
export function explainPart(config: PagesConfig, path: string, part: Part, options: ResolveOptions): Explanation[] {
  return namesFor(part).flatMap((attribute) => {
    const found = explain(config, path, attribute, options)
    const hasSource = !('error' in found) && (found.value !== undefined || found.candidates.length > 0)
    return hasSource ? [found] : []
  })
}

/**
 * Returns the attribute that determines a part's appearance: the first one that is set, else the first with a default.
 * Defaults of `titleNView` come last (ADR 104).
 */
export function deciding(explanations: readonly Explanation[]): Explanation | undefined {
  return (
    explanations.find(({ provenance }) => provenance && provenance.from !== 'default') ??
    explanations.find(({ attribute }) => !attribute.includes('titleNView')) ??
    explanations[0]
  )
}
