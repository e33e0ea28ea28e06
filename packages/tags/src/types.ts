/**
 * Types of tags in templates, for editors and vue-tsc. The attributes of a tag are the props of its component; here are
 * its events, and the attributes that its element or the text field in it reads. `ignored` in tags.ts has those of
 * uni-app that have no effect.
 */
import type { AriaAttributes, Events, StyleValue, VNodeProps } from 'vue'

/** An event that a tag dispatches. */
export type TagEvent<Detail = Record<never, never>> = CustomEvent<Detail> & On

/** The elements of an event. Values of `dataset` are strings. */
interface On {
  readonly target: HTMLElement
  readonly currentTarget: HTMLElement
}

/** Events of the browser that each tag passes on; `tap` is its `click`. */
type NativeName =
  | 'onAuxclick'
  | 'onClick'
  | 'onContextmenu'
  | 'onDblclick'
  | 'onFocusin'
  | 'onFocusout'
  | 'onGotpointercapture'
  | 'onLostpointercapture'
  | 'onWheel'
  | `on${'Animation' | 'Drag' | 'Key' | 'Mouse' | 'Pointer' | 'Touch' | 'Transition'}${string}`
type NativeListeners = {
  [Name in keyof Events as Name extends NativeName ? Name : never]?: (event: Events[Name] & On) => unknown
}

type Listeners<Details> = {
  [Name in keyof Details as `on${Capitalize<Name & string>}`]?: (event: TagEvent<Details[Name]>) => unknown
}

/** What each tag has. */
export interface CommonAttributes extends VNodeProps, AriaAttributes, NativeListeners {
  id?: string | number
  class?: unknown
  style?: StyleValue
  hidden?: boolean | 'true' | 'false'
  slot?: string
  title?: string
  role?: string
  tabindex?: number | string
  lang?: string
  dir?: 'ltr' | 'rtl' | 'auto'
  draggable?: boolean | 'true' | 'false'
  onTap?: (event: Events['onClick'] & On) => unknown
  /** No effect: use `contextmenu`, which a long press on a touch screen causes. */
  onLongpress?: IgnoredListener
  onLongtap?: IgnoredListener
}

// biome-ignore lint/suspicious/noExplicitAny: the event never occurs
type IgnoredListener = (event: any) => unknown

/** Templates may write a boolean as the text `true`. */
type Written<Props> = { [Name in keyof Props]: true extends Props[Name] ? Props[Name] | 'true' : Props[Name] }

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type At<Table, Name> = Name extends keyof Table ? Table[Name] : Record<never, never>

/** The tag `Name` in templates, with the props of its component. */
export type Tag<Name extends string, Props = Record<never, never>, Ignored extends string = never> = new () => {
  $props: Written<Omit<Props, keyof CommonAttributes>> &
    Omit<CommonAttributes, keyof At<TagAttributes, Name>> &
    At<TagAttributes, Name> &
    Listeners<At<TagEvents, Name>> & {
      [Each in Ignored as CamelCase<Each>]?: Each extends `on-${string}` ? IgnoredListener : unknown
    }
  $slots: { default?(props: Record<never, never>): unknown } & At<TagSlots, Name>
  $el: HTMLElement
} & At<TagMembers, Name>

/** A tag that a component of the project may replace, whose other attributes, events and slots are not known. */
export type Replaceable<Replaced extends new () => { $props: object; $slots: object }> = new () => Omit<
  InstanceType<Replaced>,
  '$props' | '$slots'
> & {
  $props: InstanceType<Replaced>['$props'] & Unknown
  $slots: InstanceType<Replaced>['$slots'] & Unknown
}
// biome-ignore lint/suspicious/noExplicitAny: handlers and slots have any types
type Unknown = { [name: string]: any }

/** The props of a component, with those that Vue gives to each. */
export type PropsOf<Component extends new (...args: never) => { $props: object }> = InstanceType<Component>['$props']

export type PickerMode = 'selector' | 'multiSelector' | 'time' | 'date' | 'region'
interface PickerValues {
  selector: number
  multiSelector: number[]
  region: number[]
  time: string
  date: string
}

/** `<picker>`, whose value depends on its mode. */
export type PickerTag<Component extends new (...args: never) => { $props: object }, Ignored extends string> = new <
  Mode extends PickerMode = 'selector',
>(props: {
  mode?: Mode
}) => {
  $props: InstanceType<Tag<'picker', Omit<PropsOf<Component>, 'mode'>, Ignored>>['$props'] & {
    mode?: Mode
    onChange?: (event: TagEvent<{ value: PickerValues[Mode] }>) => unknown
  }
  $slots: { default?(props: Record<never, never>): unknown }
  $el: HTMLElement
}

/** A touch of a canvas, with its position from the top left corner, in px. */
interface CanvasTouch extends Touch {
  readonly x: number
  readonly y: number
}
interface CanvasTouchEvent {
  readonly touches: ArrayLike<CanvasTouch> & Iterable<CanvasTouch>
  readonly changedTouches: ArrayLike<CanvasTouch> & Iterable<CanvasTouch>
}
type CanvasListener = (event: TouchEvent & CanvasTouchEvent & On) => unknown

/** Attributes that no component has as props. */
interface TagAttributes {
  canvas: {
    onTouchstart?: CanvasListener
    onTouchmove?: CanvasListener
    onTouchend?: CanvasListener
    onTouchcancel?: CanvasListener
  }
  text: Selectable
  'rich-text': Selectable
  'scroll-view': { enableFlex?: boolean | 'true' | 'false' }
  input: FieldAttributes
  textarea: FieldAttributes
}
interface Selectable {
  selectable?: boolean | 'true' | 'false'
  userSelect?: boolean | 'true' | 'false'
}
/** Attributes of the text field inside. */
interface FieldAttributes {
  autocomplete?: string
  autocapitalize?: string
  autocorrect?: 'on' | 'off'
  spellcheck?: boolean | 'true' | 'false'
  inputmode?: 'none' | 'text' | 'tel' | 'url' | 'email' | 'numeric' | 'decimal' | 'search'
  pattern?: string
}

/** What a `ref` has. */
interface TagMembers {
  audio: { audio: HTMLAudioElement } & Player
  canvas: { canvas: HTMLCanvasElement; getContext: HTMLCanvasElement['getContext'] }
  list: LoadMore
  'recycle-list': LoadMore
  video: { video: HTMLVideoElement } & Player
  waterfall: LoadMore
}
interface Player {
  play(): Promise<void>
  pause(): void
}
interface LoadMore {
  /** Lets `loadmore` occur again for the same content. */
  resetLoadmore(): void
}

/** Slots besides the default one. */
interface TagSlots {
  'scroll-view': { refresher?(props: Record<never, never>): unknown }
}

interface Failure {
  errMsg: string
}
interface Authorization extends Failure {
  /** For the backend; missing if the user refused. */
  code?: string
}
interface SwiperDetail {
  current: number
  currentItemId: string
  source: 'autoplay' | 'touch' | ''
}
interface Playback {
  timeupdate: { currentTime: number; duration: number }
  play: Record<never, never>
  pause: Record<never, never>
  ended: Record<never, never>
}
interface Pull {
  /** In px. */
  dy: number
}
interface TextFieldEvents {
  input: { value: string; cursor: number; keyCode: number }
  focus: { value: string; height: number }
  blur: { value: string; cursor: number }
  confirm: { value: string }
}
interface Contents {
  html: string
  text: string
  delta: object
}
interface Position {
  latitude: number
  longitude: number
}
interface Cluster {
  clusterId: number
  center: Position
  markerIds: (number | string)[]
}

/** Details of the events of each tag, by event name. */
interface TagEvents {
  audio: Playback & { error: Failure & { errCode?: number } }
  button: { getphonenumber: Authorization; getuserinfo: Authorization }
  canvas: { error: Failure }
  // biome-ignore lint/suspicious/noExplicitAny: the values that the page gives to the choices
  'checkbox-group': { change: { value: any[] } }
  'cover-image': ImageEvents
  editor: {
    ready: Record<never, never>
    focus: Contents
    blur: Contents
    input: Contents
    statuschange: Record<string, unknown>
  }
  // biome-ignore lint/suspicious/noExplicitAny: the values of the fields, by their names
  form: { submit: { value: Record<string, any> }; reset: Record<never, never> }
  image: ImageEvents
  input: TextFieldEvents
  map: {
    markertap: { markerId: number | string }
    callouttap: { markerId: number | string }
    labeltap: { markerId: number | string }
    markerClusterCreate: { clusters: Cluster[] }
    markerClusterClick: { cluster: Cluster }
    updated: Record<never, never>
    regionchange: {
      type: 'begin' | 'end'
      causedBy: string
      scale: number
      rotate: number
      skew: number
      centerLocation: Position
      region: { southwest: Position; northeast: Position }
    }
  }
  'movable-view': { change: { x: number; y: number; source: 'touch' | 'touch-out-of-bounds' | '' } }
  navigator: { success: Record<never, never>; fail: Failure; complete: Record<never, never> }
  'page-meta': {
    scroll: { scrollTop: number }
    resize: { size: { windowWidth: number; windowHeight: number } }
    scrolldone: Record<never, never>
  }
  picker: { cancel: Record<never, never>; columnchange: { column: number; value: number } }
  'picker-view': { change: { value: number[] }; pickstart: Record<never, never>; pickend: Record<never, never> }
  progress: { activeend: { curPercent: number } }
  // biome-ignore lint/suspicious/noExplicitAny: the value that the page gives to the choice
  'radio-group': { change: { value: any } }
  'rich-text': { itemclick: { node: { name: string; attrs: Record<string, string> } } }
  'scroll-view': {
    scroll: {
      scrollLeft: number
      scrollTop: number
      scrollHeight: number
      scrollWidth: number
      deltaX: number
      deltaY: number
    }
    scrolltoupper: { direction: 'top' | 'left' | 'right' }
    scrolltolower: { direction: 'bottom' | 'left' | 'right' }
    refresherpulling: Pull
    refresherrefresh: Pull
    refresherrestore: Pull
    refresherabort: Pull
  }
  slider: { change: { value: number }; changing: { value: number } }
  swiper: { change: SwiperDetail; transition: { dx: number; dy: number }; animationfinish: SwiperDetail }
  switch: { change: { value: boolean } }
  textarea: TextFieldEvents & { linechange: { height: number; lineCount: number } }
  video: Playback & {
    waiting: Record<never, never>
    loadedmetadata: { width: number; height: number; duration: number }
    /** In percent. */
    progress: { buffered: number }
    seekcomplete: { position: number }
    fullscreenchange: { fullScreen: boolean; direction: 'horizontal' | 'vertical' }
    error: Failure
  }
  list: ListEvents
  'recycle-list': ListEvents
  waterfall: ListEvents
  refresh: { refresh: Record<never, never>; pullingdown: ListPull }
  loading: { loading: Record<never, never> }
  // biome-ignore lint/suspicious/noExplicitAny: what the page inside posts
  'web-view': { message: { data: any[]; origin: string }; load: { src: string } }
}
interface ListEvents {
  loadmore: Record<never, never>
  scroll: ListScroll
}
interface ListScroll {
  contentSize: { width: number; height: number }
  contentOffset: { x: number; y: number }
  isDragging: boolean
}
interface ListPull {
  dy: number
  pullingDistance: number
  viewHeight: number
}
interface ImageEvents {
  load: { width: number; height: number }
  error: Failure
}
