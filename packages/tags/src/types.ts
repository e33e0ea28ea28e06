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
  /** Name of the element. */
  id?: string | number
  /** Classes for styles. */
  class?: unknown
  /** Style, with lengths in rpx or px. */
  style?: StyleValue
  /** Hides the tag. */
  hidden?: boolean | 'true' | 'false'
  /** Slot of the component around it. */
  slot?: string
  /** Text that browsers show beside the pointer. */
  title?: string
  /** Role for screen readers. */
  role?: string
  /** Order of the focus with a keyboard. */
  tabindex?: number | string
  /** Language of the text. */
  lang?: string
  /** Direction of the text. */
  dir?: 'ltr' | 'rtl' | 'auto'
  /** Lets the pointer drag it. */
  draggable?: boolean | 'true' | 'false'
  /** What `createAnimation` has recorded, which the tag runs. */
  animation?: object | null
  /** When it was tapped, which is the `click` of browsers. */
  onTap?: (event: Events['onClick'] & On) => unknown
  /** No effect: use `contextmenu`, which a long press on a touch screen causes. */
  onLongpress?: IgnoredListener
  /** No effect, like `longpress`. */
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
  /** What is chosen: one of a list, one of each column, a time, a date, or a place. */
  mode?: Mode
}) => {
  $props: InstanceType<Tag<'picker', Omit<PropsOf<Component>, 'mode'>, Ignored>>['$props'] & {
    /** What is chosen: one of a list, one of each column, a time, a date, or a place. */
    mode?: Mode
    /** When the user has confirmed a choice. */
    onChange?: (
      event: TagEvent<{
        /** Index, indices, or the time or date as a text. */
        value: PickerValues[Mode]
      }>,
    ) => unknown
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
    /** When a touch begins. */
    onTouchstart?: CanvasListener
    /** When a touch moves. */
    onTouchmove?: CanvasListener
    /** When a touch ends. */
    onTouchend?: CanvasListener
    /** When the system takes a touch, such as for a gesture. */
    onTouchcancel?: CanvasListener
  }
  text: Selectable
  'rich-text': Selectable
  'scroll-view': {
    /** Lays out the content with flexbox. */
    enableFlex?: boolean | 'true' | 'false'
  }
  input: FieldAttributes
  textarea: FieldAttributes
  'movable-view': {
    /** Moves with a transition when `x` or `y` change. */
    animation?: boolean | 'true' | 'false'
  }
}
interface Selectable {
  /** Whether the text can be selected. */
  selectable?: boolean | 'true' | 'false'
  /** Whether the text can be selected, as a block. */
  userSelect?: boolean | 'true' | 'false'
}
/** Attributes of the text field inside. */
interface FieldAttributes {
  /** What the browser may fill in, such as `email`. */
  autocomplete?: string
  /** Which letters the keyboard capitalizes, such as `sentences`. */
  autocapitalize?: string
  /** Whether the keyboard corrects words. */
  autocorrect?: 'on' | 'off'
  /** Whether the browser marks misspelled words. */
  spellcheck?: boolean | 'true' | 'false'
  /** Kind of the keyboard. */
  inputmode?: 'none' | 'text' | 'tel' | 'url' | 'email' | 'numeric' | 'decimal' | 'search'
  /** Regular expression of the HTML element. */
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
  /** What failed. */
  errMsg: string
}
interface Authorization extends Failure {
  /** For the backend; missing if the user refused. */
  code?: string
}
interface SwiperDetail {
  /** Index of the item. */
  current: number
  /** The `item-id` of the item; empty if it has none. */
  currentItemId: string
  /** What has moved it; empty for the page. */
  source: 'autoplay' | 'touch' | ''
}
interface Playback {
  /** While it plays, several times a second. */
  timeupdate: {
    /** In seconds. */
    currentTime: number
    /** In seconds. */
    duration: number
  }
  /** When it starts or continues. */
  play: Record<never, never>
  /** When it is paused. */
  pause: Record<never, never>
  /** When it has reached its end. */
  ended: Record<never, never>
}
interface Pull {
  /** In px. */
  dy: number
}
interface TextFieldEvents {
  /** When the user changes the text. A listener may return another text. */
  input: {
    /** The text. */
    value: string
    /** Position of the cursor. */
    cursor: number
    /** Code of the character that was entered. */
    keyCode: number
  }
  /** When it gets the focus. */
  focus: {
    /** The text. */
    value: string
    /** Always 0; use `onKeyboardHeightChange`. */
    height: number
  }
  /** When it loses the focus. */
  blur: {
    /** The text. */
    value: string
    /** Position of the cursor. */
    cursor: number
  }
  /** When the user presses the confirm key of the keyboard. */
  confirm: {
    /** The text. */
    value: string
  }
}
interface Contents {
  /** As HTML. */
  html: string
  /** As text. */
  text: string
  /** As a list of operations. */
  delta: object
}
interface Position {
  /** In degrees. */
  latitude: number
  /** In degrees. */
  longitude: number
}
interface Cluster {
  /** Number of the cluster. */
  clusterId: number
  /** Its position. */
  center: Position
  /** The `id` of each marker in it. */
  markerIds: (number | string)[]
}

/** Details of the events of each tag, by event name. */
interface TagEvents {
  audio: Playback & {
    /** When the sound cannot be loaded or played. */
    error: Failure & {
      /** Code of the browser, 1 to 4. */
      errCode?: number
    }
  }
  button: {
    /** After a tap with `open-type="getPhoneNumber"`. */
    getphonenumber: Authorization
    /** After a tap with `open-type="getUserInfo"`. */
    getuserinfo: Authorization
  }
  canvas: {
    /** When the canvas has no context of its type. */
    error: Failure
  }
  'checkbox-group': {
    /** When the user has changed a choice. */
    change: {
      /** The values of the checked boxes, in their order on the page. */
      // biome-ignore lint/suspicious/noExplicitAny: the values that the page gives to the choices
      value: any[]
    }
  }
  'cover-image': ImageEvents
  editor: {
    /** When the editor can be used. */
    ready: Record<never, never>
    /** When it gets the focus. */
    focus: Contents
    /** When it loses the focus. */
    blur: Contents
    /** When the text changes. */
    input: Contents
    /** When the cursor moves to other formats, which are the fields of `detail`. */
    statuschange: Record<string, unknown>
  }
  form: {
    /** When a button with `form-type="submit"` was tapped. */
    submit: {
      /** The values of the controls by their `name`. */
      // biome-ignore lint/suspicious/noExplicitAny: the values of the fields, by their names
      value: Record<string, any>
    }
    /** When a button with `form-type="reset"` was tapped, after the controls have their first values again. */
    reset: Record<never, never>
  }
  image: ImageEvents
  input: TextFieldEvents
  map: {
    /** When a marker was tapped. */
    markertap: {
      /** The `id` of the marker. */
      markerId: number | string
    }
    /** When the callout of a marker was tapped. */
    callouttap: {
      /** The `id` of the marker. */
      markerId: number | string
    }
    /** When the label of a marker was tapped. */
    labeltap: {
      /** The `id` of the marker. */
      markerId: number | string
    }
    /** When markers become clusters. */
    markerClusterCreate: {
      /** The new clusters. */
      clusters: Cluster[]
    }
    /** When a cluster was tapped. */
    markerClusterClick: {
      /** The cluster. */
      cluster: Cluster
    }
    /** When the map is drawn. */
    updated: Record<never, never>
    /** When the visible area changes. */
    regionchange: {
      /** Whether the change begins or has ended. */
      type: 'begin' | 'end'
      /** What has moved the map: `gesture`, `scale` or `update`. */
      causedBy: string
      /** Level of tiles. */
      scale: number
      /** Always 0. */
      rotate: number
      /** Always 0. */
      skew: number
      /** The center. */
      centerLocation: Position
      /** The visible area. */
      region: {
        /** Its corner at the bottom left. */
        southwest: Position
        /** Its corner at the top right. */
        northeast: Position
      }
    }
  }
  'movable-view': {
    /** When it has moved. */
    change: {
      /** In px. */
      x: number
      /** In px. */
      y: number
      /** What has moved it; empty for the page. */
      source: 'touch' | 'touch-out-of-bounds' | ''
    }
  }
  navigator: {
    /** After the call has succeeded. */
    success: Record<never, never>
    /** After the call has failed. */
    fail: Failure
    /** After the call. */
    complete: Record<never, never>
  }
  'page-meta': {
    /** When the page scrolls. */
    scroll: {
      /** In px. */
      scrollTop: number
    }
    /** When the page gets another size. */
    resize: {
      /** The new size. */
      size: {
        /** In px. */
        windowWidth: number
        /** In px. */
        windowHeight: number
      }
    }
    /** After it has scrolled to `scroll-top`. */
    scrolldone: Record<never, never>
  }
  picker: {
    /** When the user has closed it without a choice. */
    cancel: Record<never, never>
    /** When the user has moved a column. */
    columnchange: {
      /** Index of the column. */
      column: number
      /** Index of the item. */
      value: number
    }
  }
  'picker-view': {
    /** When a column has stopped. */
    change: {
      /** Index of the selected item of each column. */
      value: number[]
    }
    /** When the user begins to move a column. */
    pickstart: Record<never, never>
    /** When a column has stopped. */
    pickend: Record<never, never>
  }
  progress: {
    /** When the animation has ended. */
    activeend: {
      /** In percent. */
      curPercent: number
    }
  }
  'radio-group': {
    /** When the user has chosen another one. */
    change: {
      /** The value of the chosen one. */
      // biome-ignore lint/suspicious/noExplicitAny: the value that the page gives to the choice
      value: any
    }
  }
  'rich-text': {
    /** When a node was tapped. */
    itemclick: {
      /** The node. */
      node: {
        /** Name of its tag. */
        name: string
        /** Its attributes. */
        attrs: Record<string, string>
      }
    }
  }
  'scroll-view': {
    /** When it scrolls. */
    scroll: {
      /** In px. */
      scrollLeft: number
      /** In px. */
      scrollTop: number
      /** Height of the content in px. */
      scrollHeight: number
      /** Width of the content in px. */
      scrollWidth: number
      /** Change since the last event, in px. */
      deltaX: number
      /** Change since the last event, in px. */
      deltaY: number
    }
    /** When it comes close to its start. */
    scrolltoupper: {
      /** The edge. */
      direction: 'top' | 'left' | 'right'
    }
    /** When it comes close to its end. */
    scrolltolower: {
      /** The edge. */
      direction: 'bottom' | 'left' | 'right'
    }
    /** While the user pulls. */
    refresherpulling: Pull
    /** When the user has pulled far enough: load the new content. */
    refresherrefresh: Pull
    /** When the indicator has closed. */
    refresherrestore: Pull
    /** When the user has let go too early. */
    refresherabort: Pull
  }
  slider: {
    /** When the user has moved it. */
    change: {
      /** The new value. */
      value: number
    }
    /** While the user moves it. */
    changing: {
      /** The value at the time. */
      value: number
    }
  }
  swiper: {
    /** When another item is shown. */
    change: SwiperDetail
    /** While items move. */
    transition: {
      /** In px. */
      dx: number
      /** In px. */
      dy: number
    }
    /** When items have stopped. */
    animationfinish: SwiperDetail
  }
  switch: {
    /** When the user has turned it on or off. */
    change: {
      /** Whether it is on. */
      value: boolean
    }
  }
  textarea: TextFieldEvents & {
    /** When the number of lines changes. */
    linechange: {
      /** Height of the text in px. */
      height: number
      /** Number of lines. */
      lineCount: number
    }
  }
  video: Playback & {
    /** When it waits for data. */
    waiting: Record<never, never>
    /** When size and length are known. */
    loadedmetadata: {
      /** In px. */
      width: number
      /** In px. */
      height: number
      /** In seconds. */
      duration: number
    }
    /** In percent. */
    progress: {
      /** In percent. */
      buffered: number
    }
    /** When it has moved to another position. */
    seekcomplete: {
      /** In seconds. */
      position: number
    }
    /** When it fills the screen, or does not any more. */
    fullscreenchange: {
      /** Whether it fills the screen. */
      fullScreen: boolean
      /** Which way the screen is longer. */
      direction: 'horizontal' | 'vertical'
    }
    /** When it cannot be loaded or played. */
    error: Failure
  }
  list: ListEvents
  'recycle-list': ListEvents
  waterfall: ListEvents
  refresh: {
    /** When the user has pulled it fully open. */
    refresh: Record<never, never>
    /** While the user pulls. */
    pullingdown: ListPull
  }
  loading: {
    /** When the user has pulled it fully open. */
    loading: Record<never, never>
  }
  'web-view': {
    /** When the page inside posts something. */
    message: {
      /** What was posted, in a list. */
      // biome-ignore lint/suspicious/noExplicitAny: what the page inside posts
      data: any[]
      /** Origin of the page inside. */
      origin: string
    }
    /** When the page inside is loaded. */
    load: {
      /** Its address. */
      src: string
    }
  }
}
interface ListEvents {
  /** When it comes close to its end. */
  loadmore: Record<never, never>
  /** When it scrolls. */
  scroll: ListScroll
}
interface ListScroll {
  /** Size of the content in px. */
  contentSize: {
    /** In px. */
    width: number
    /** In px. */
    height: number
  }
  /** Position of the content in px. */
  contentOffset: {
    /** In px. */
    x: number
    /** In px. */
    y: number
  }
  /** Whether the user moves it. */
  isDragging: boolean
}
interface ListPull {
  /** Change since the last event, in px. */
  dy: number
  /** Distance in px. */
  pullingDistance: number
  /** Height of the indicator in px. */
  viewHeight: number
}
interface ImageEvents {
  /** When the picture is loaded. */
  load: {
    /** In px. */
    width: number
    /** In px. */
    height: number
  }
  /** When the picture cannot be loaded. */
  error: Failure
}
