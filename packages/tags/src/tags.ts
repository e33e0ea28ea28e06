/**
 * A tag of mini app pages, rendered as an element `neu-<tag>`. A tag without behavior is only this element, without a
 * component. The build reads this table too.
 */
export interface Tag {
  /** Name in templates. */
  readonly tag: string
  /** The plain element. */
  readonly element?: `neu-${string}`
  /** The component: exported by index.ts under this name, and the default export of `<component>.vue`. */
  readonly component?: string
  /** `component` is used if any of these attributes is present, else `element`. */
  readonly componentWhen?: readonly string[]
  /** Attributes that contain the path of a project file. */
  readonly assets?: readonly string[]
  /** Attributes that contain a length or styles. The build converts their rpx, as in `style`. */
  readonly lengths?: readonly string[]
  /** A component of the project with this name takes precedence. */
  readonly isReplaceable?: true
}

const hover = ['hover-class'] as const

/** A tag with neither element nor component renders its children only. tags.css must load before all other styles. */
export const tags: readonly Tag[] = [
  { tag: 'block' },
  { tag: 'button', component: 'Button' },
  { tag: 'checkbox', component: 'Checkbox' },
  { tag: 'checkbox-group', component: 'CheckboxGroup' },
  { tag: 'cover-image', component: 'CoverImage', assets: ['src'] },
  { tag: 'cover-view', element: 'neu-cover-view', component: 'CoverView', componentWhen: hover },
  { tag: 'editor', component: 'Editor' },
  { tag: 'form', component: 'Form' },
  { tag: 'icon', component: 'Icon', lengths: ['size'] },
  { tag: 'image', component: 'Image', assets: ['src'] },
  { tag: 'input', component: 'Input', lengths: ['placeholder-style'] },
  { tag: 'label', component: 'Label' },
  { tag: 'map', component: 'Map' },
  { tag: 'match-media', component: 'MatchMedia', isReplaceable: true },
  { tag: 'movable-area', element: 'neu-movable-area' },
  { tag: 'movable-view', component: 'MovableView', lengths: ['x', 'y'] },
  { tag: 'navigation-bar', component: 'NavigationBar', isReplaceable: true },
  { tag: 'navigator', component: 'Navigator' },
  { tag: 'page-meta', component: 'PageMeta', isReplaceable: true },
  { tag: 'picker', component: 'Picker' },
  { tag: 'picker-view', component: 'PickerView', lengths: ['indicator-style', 'mask-style'] },
  { tag: 'picker-view-column', component: 'PickerViewColumn' },
  { tag: 'progress', component: 'Progress', lengths: ['border-radius', 'font-size', 'stroke-width'] },
  { tag: 'radio', component: 'Radio' },
  { tag: 'radio-group', component: 'RadioGroup' },
  { tag: 'rich-text', component: 'RichText' },
  { tag: 'root-portal', component: 'RootPortal', isReplaceable: true },
  {
    tag: 'scroll-view',
    component: 'ScrollView',
    lengths: ['upper-threshold', 'lower-threshold', 'scroll-top', 'scroll-left', 'refresher-threshold'],
  },
  { tag: 'slider', component: 'Slider', lengths: ['block-size'] },
  { tag: 'swiper', component: 'Swiper', lengths: ['previous-margin', 'next-margin'] },
  { tag: 'swiper-item', component: 'SwiperItem' },
  { tag: 'switch', component: 'Switch' },
  // `selectable` and `user-select` are implemented in tags.css.
  { tag: 'text', element: 'neu-text', component: 'Text', componentWhen: ['space', 'decode'] },
  { tag: 'textarea', component: 'Textarea', lengths: ['placeholder-style'] },
  { tag: 'view', element: 'neu-view', component: 'View', componentWhen: hover },
  { tag: 'web-view', component: 'WebView' },
]

/** Type selectors that refer to an element `neu-<name>`: `page` and all tags with an element. Not inside `<svg>`. */
export const selectorNames: readonly string[] = [
  'page',
  ...tags.filter(({ element, component }) => element ?? component).map(({ tag }) => tag),
]

/** Attributes of components that are true or false. Templates may write the text `true`, as in `scroll-y="true"`. */
export const flags: ReadonlySet<string> = new Set([
  'active',
  'animation',
  'auto-focus',
  'auto-height',
  'autoplay',
  'checked',
  'circular',
  'confirm-hold',
  'decode',
  'disable-touch',
  'disabled',
  'draggable',
  'enable-scroll',
  'enable-zoom',
  'fixed',
  'focus',
  'hover-stop-propagation',
  'indicator-dots',
  'lazy-load',
  'loading',
  'out-of-bounds',
  'password',
  'plain',
  'read-only',
  'refresher-enabled',
  'refresher-triggered',
  'scroll-with-animation',
  'scroll-x',
  'scroll-y',
  'show-confirm-bar',
  'show-info',
  'show-location',
  'show-menu-by-longpress',
  'show-scrollbar',
  'show-value',
  'touchable',
  'vertical',
])
