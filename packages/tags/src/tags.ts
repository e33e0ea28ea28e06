/**
 * What each tag of a page becomes: pure data, read by the build as well. Every tag is drawn by an element `neu-<tag>`; a tag that needs no
 * behaviour is that element and costs no component.
 */
export interface Tag {
  /** As pages write it. */
  readonly tag: string
  /** The plain custom element that it becomes. */
  readonly element?: `neu-${string}`
  /** The component that it becomes: exported by index.ts under this name, and the default export of `<component>.vue`. */
  readonly component?: string
  /** With any of these attributes, bound or not, `component` is taken, else `element`. */
  readonly componentWhen?: readonly string[]
  /** Attributes whose value is an address of a file of the project. */
  readonly assets?: readonly string[]
  /** Attributes whose value is a length or a text of styles. As in `style`, their rpx are CSS before the component sees them. */
  readonly lengths?: readonly string[]
}

const hover = ['hover-class'] as const

/** A tag with neither element nor component is its children alone. Looks come from tags.css, which has to be loaded before all other styles. */
export const tags: readonly Tag[] = [
  { tag: 'block' },
  { tag: 'button', component: 'Button' },
  { tag: 'checkbox', component: 'Checkbox' },
  { tag: 'checkbox-group', component: 'CheckboxGroup' },
  { tag: 'cover-image', component: 'CoverImage', assets: ['src'] },
  { tag: 'cover-view', element: 'neu-cover-view', component: 'CoverView', componentWhen: hover },
  { tag: 'form', component: 'Form' },
  { tag: 'icon', component: 'Icon', lengths: ['size'] },
  { tag: 'image', component: 'Image', assets: ['src'] },
  { tag: 'input', component: 'Input', lengths: ['placeholder-style'] },
  { tag: 'label', component: 'Label' },
  { tag: 'navigator', component: 'Navigator' },
  { tag: 'picker', component: 'Picker' },
  { tag: 'picker-view', component: 'PickerView', lengths: ['indicator-style', 'mask-style'] },
  { tag: 'picker-view-column', component: 'PickerViewColumn' },
  { tag: 'progress', component: 'Progress', lengths: ['border-radius', 'font-size', 'stroke-width'] },
  { tag: 'radio', component: 'Radio' },
  { tag: 'radio-group', component: 'RadioGroup' },
  { tag: 'rich-text', component: 'RichText' },
  {
    tag: 'scroll-view',
    component: 'ScrollView',
    lengths: ['upper-threshold', 'lower-threshold', 'scroll-top', 'scroll-left', 'refresher-threshold'],
  },
  { tag: 'slider', component: 'Slider', lengths: ['block-size'] },
  { tag: 'swiper', component: 'Swiper', lengths: ['previous-margin', 'next-margin'] },
  { tag: 'swiper-item', component: 'SwiperItem' },
  { tag: 'switch', component: 'Switch' },
  // `selectable` and `user-select` are a matter of style.
  { tag: 'text', element: 'neu-text', component: 'Text', componentWhen: ['space', 'decode'] },
  { tag: 'textarea', component: 'Textarea', lengths: ['placeholder-style'] },
  { tag: 'view', element: 'neu-view', component: 'View', componentWhen: hover },
  { tag: 'web-view', component: 'WebView' },
]

/**
 * Type selectors of pages' styles that stand for an element `neu-<name>`: every tag that has one, and the page itself. Names inside an
 * `<svg>` of the page are not meant.
 */
export const selectorNames: readonly string[] = [
  'page',
  ...tags.filter(({ element, component }) => element ?? component).map(({ tag }) => tag),
]
