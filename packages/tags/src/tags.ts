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
  /** Attributes of uni-app that have no effect; events that never occur start with `on-`. For types and the guide. */
  readonly ignored?: readonly string[]
}

const hover = ['hover-class'] as const

/** Attributes of the keyboard of text fields, which browsers decide about. */
const keyboard = [
  'adjust-position',
  'always-embed',
  'auto-blur',
  'controlled',
  'cursor-color',
  'cursor-spacing',
  'hold-keyboard',
  'ignore-composition-event',
  'on-keyboardheightchange',
] as const

/** A tag with neither element nor component renders its children only. tags.css must load before all other styles. */
export const tags: readonly Tag[] = [
  { tag: 'block' },
  {
    tag: 'button',
    component: 'Button',
    ignored: [
      'app-parameter',
      'entrance-path',
      'group-id',
      'guild-id',
      'lang',
      'need-show-entrance',
      'phone-number-no-quota-toast',
      'public-id',
      'scope',
      'send-message-img',
      'send-message-path',
      'send-message-title',
      'session-from',
      'show-message-card',
      'on-addgroupapp',
      'on-agreeprivacyauthorization',
      'on-chooseaddress',
      'on-chooseavatar',
      'on-chooseinvoicetitle',
      'on-contact',
      'on-error',
      'on-getrealtimephonenumber',
      'on-im',
      'on-launchapp',
      'on-login',
      'on-opensetting',
      'on-subscribe',
    ],
  },
  { tag: 'checkbox', component: 'Checkbox' },
  { tag: 'checkbox-group', component: 'CheckboxGroup' },
  { tag: 'cover-image', component: 'CoverImage', assets: ['src'] },
  {
    tag: 'cover-view',
    element: 'neu-cover-view',
    component: 'CoverView',
    componentWhen: hover,
    ignored: ['scroll-top'],
  },
  { tag: 'editor', component: 'Editor', ignored: ['show-img-resize', 'show-img-size', 'show-img-toolbar'] },
  { tag: 'form', component: 'Form', ignored: ['report-submit', 'report-submit-timeout'] },
  { tag: 'icon', component: 'Icon', lengths: ['size'] },
  { tag: 'image', component: 'Image', assets: ['src'], ignored: ['fade-show', 'webp'] },
  {
    tag: 'input',
    component: 'Input',
    lengths: ['placeholder-style'],
    ignored: [
      ...keyboard,
      'random-number',
      'safe-password-cert-path',
      'safe-password-custom-hash',
      'safe-password-length',
      'safe-password-nonce',
      'safe-password-salt',
      'safe-password-time-stamp',
      'text-content-type',
      'on-nicknamereview',
    ],
  },
  { tag: 'label', component: 'Label' },
  {
    tag: 'map',
    component: 'Map',
    ignored: [
      'controls',
      'enable-3D',
      'enable-auto-max-overlooking',
      'enable-building',
      'enable-indoorMap',
      'enable-overlooking',
      'enable-poi',
      'enable-rotate',
      'enable-satellite',
      'enable-traffic',
      'layer-style',
      'rotate',
      'setting',
      'show-compass',
      'show-scale',
      'skew',
      'subkey',
      'theme',
      'on-anchorpointtap',
      'on-controltap',
      'on-poitap',
    ],
  },
  { tag: 'match-media', component: 'MatchMedia', isReplaceable: true },
  { tag: 'movable-area', element: 'neu-movable-area', ignored: ['scale-area'] },
  {
    tag: 'movable-view',
    component: 'MovableView',
    lengths: ['x', 'y'],
    ignored: ['damping', 'friction', 'inertia', 'scale', 'scale-max', 'scale-min', 'scale-value', 'on-scale'],
  },
  {
    tag: 'navigation-bar',
    component: 'NavigationBar',
    isReplaceable: true,
    ignored: [
      'blur-effect',
      'subtitle-color',
      'subtitle-overflow',
      'subtitle-size',
      'subtitle-text',
      'text-size',
      'title-align',
      'title-icon',
      'title-icon-radius',
    ],
  },
  {
    tag: 'navigator',
    component: 'Navigator',
    ignored: ['app-id', 'extra-data', 'path', 'render-link', 'short-link', 'target', 'version'],
  },
  { tag: 'page-meta', component: 'PageMeta', isReplaceable: true, ignored: ['page-font-size', 'page-orientation'] },
  { tag: 'picker', component: 'Picker', ignored: ['custom-item', 'selector-type'] },
  {
    tag: 'picker-view',
    component: 'PickerView',
    lengths: ['indicator-style', 'mask-style'],
    ignored: ['immediate-change', 'mask-bottom-style', 'mask-top-style'],
  },
  { tag: 'picker-view-column', component: 'PickerViewColumn' },
  { tag: 'progress', component: 'Progress', lengths: ['border-radius', 'font-size', 'stroke-width'] },
  { tag: 'radio', component: 'Radio' },
  { tag: 'radio-group', component: 'RadioGroup' },
  { tag: 'rich-text', component: 'RichText', ignored: ['image-menu-prevent', 'preview'] },
  { tag: 'root-portal', component: 'RootPortal', isReplaceable: true },
  {
    tag: 'scroll-view',
    component: 'ScrollView',
    lengths: ['upper-threshold', 'lower-threshold', 'scroll-top', 'scroll-left', 'refresher-threshold'],
    ignored: [
      'bounces',
      'enable-back-to-top',
      'enable-passive',
      'enhanced',
      'fast-deceleration',
      'paging-enabled',
      'scroll-anchoring',
    ],
  },
  { tag: 'slider', component: 'Slider', lengths: ['block-size'] },
  {
    tag: 'swiper',
    component: 'Swiper',
    lengths: ['previous-margin', 'next-margin'],
    ignored: ['acceleration', 'disable-programmatic-animation', 'skip-hidden-item-layout', 'snap-to-edge'],
  },
  { tag: 'swiper-item', component: 'SwiperItem', ignored: ['skip-hidden-item-layout'] },
  { tag: 'switch', component: 'Switch' },
  // `selectable` and `user-select` are implemented in tags.css.
  { tag: 'text', element: 'neu-text', component: 'Text', componentWhen: ['space', 'decode'] },
  {
    tag: 'textarea',
    component: 'Textarea',
    lengths: ['placeholder-style'],
    ignored: [...keyboard, 'adjust-keyboard-to', 'disable-default-padding'],
  },
  { tag: 'view', element: 'neu-view', component: 'View', componentWhen: hover },
  {
    tag: 'web-view',
    component: 'WebView',
    ignored: ['allow', 'fullscreen', 'sandbox', 'update-title', 'webview-styles', 'on-error'],
  },
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
