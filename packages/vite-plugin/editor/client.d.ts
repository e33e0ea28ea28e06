// Global types of mini app pages, for editors and vue-tsc. Generated from the table of tags by `npm run generate`.
/// <reference types="vite/client" />
/// <reference types="@souk/runtime/constants" />
import type { EventChannel, Neu } from '@souk/runtime'
import type * as tags from '@souk/tags'
import type { CommonAttributes, PickerTag, PropsOf, Replaceable, Tag } from '@souk/tags/types'
import type { AriaAttributes } from 'vue'

declare module 'vue' {
  interface GlobalComponents {
    /** A sound, with or without controls. */
    Audio: Tag<'audio', PropsOf<typeof tags.Audio>, never>
    /** Groups tags without an element of its own, for `v-if` and `v-for`. */
    Block: Tag<'block', Record<never, never>, never>
    /** A button. It can submit a form, share the page or ask for the user. */
    Button: Tag<'button', PropsOf<typeof tags.Button>, 'app-parameter' | 'entrance-path' | 'group-id' | 'guild-id' | 'lang' | 'need-show-entrance' | 'phone-number-no-quota-toast' | 'public-id' | 'scope' | 'send-message-img' | 'send-message-path' | 'send-message-title' | 'session-from' | 'show-message-card' | 'on-addgroupapp' | 'on-agreeprivacyauthorization' | 'on-chooseaddress' | 'on-chooseavatar' | 'on-chooseinvoicetitle' | 'on-contact' | 'on-error' | 'on-getrealtimephonenumber' | 'on-im' | 'on-launchapp' | 'on-login' | 'on-opensetting' | 'on-subscribe'>
    /** An area to draw on, with `createCanvasContext` or as a canvas of the web. */
    Canvas: Tag<'canvas', PropsOf<typeof tags.Canvas>, never>
    /** A choice of a `checkbox-group`. */
    Checkbox: Tag<'checkbox', PropsOf<typeof tags.Checkbox>, never>
    /** Choices of which any number can be checked. */
    CheckboxGroup: Tag<'checkbox-group', PropsOf<typeof tags.CheckboxGroup>, never>
    /** A picture above a map or a video. */
    CoverImage: Tag<'cover-image', PropsOf<typeof tags.CoverImage>, never>
    /** A box above a map or a video. */
    CoverView: Tag<'cover-view', PropsOf<typeof tags.CoverView>, 'scroll-top'>
    /** A field for text with formats. */
    Editor: Tag<'editor', PropsOf<typeof tags.Editor>, 'show-img-resize' | 'show-img-size' | 'show-img-toolbar'>
    /** Collects the values of the controls in it. */
    Form: Tag<'form', PropsOf<typeof tags.Form>, 'report-submit' | 'report-submit-timeout'>
    /** One of a few icons for states. */
    Icon: Tag<'icon', PropsOf<typeof tags.Icon>, never>
    /** A picture. */
    Image: Tag<'image', PropsOf<typeof tags.Image>, 'fade-show' | 'webp'>
    /** A field for one line of text. */
    Input: Tag<'input', PropsOf<typeof tags.Input>, 'adjust-position' | 'always-embed' | 'auto-blur' | 'controlled' | 'cursor-color' | 'cursor-spacing' | 'hold-keyboard' | 'ignore-composition-event' | 'on-keyboardheightchange' | 'random-number' | 'safe-password-cert-path' | 'safe-password-custom-hash' | 'safe-password-length' | 'safe-password-nonce' | 'safe-password-salt' | 'safe-password-time-stamp' | 'text-content-type' | 'on-nicknamereview'>
    /** Lets a tap on a text press its control. */
    Label: Tag<'label', PropsOf<typeof tags.Label>, never>
    /** A map with markers, lines and areas. */
    Map: Tag<'map', PropsOf<typeof tags.Map>, 'controls' | 'enable-3D' | 'enable-auto-max-overlooking' | 'enable-building' | 'enable-indoorMap' | 'enable-overlooking' | 'enable-poi' | 'enable-rotate' | 'enable-satellite' | 'enable-traffic' | 'layer-style' | 'rotate' | 'setting' | 'show-compass' | 'show-scale' | 'skew' | 'subkey' | 'theme' | 'on-anchorpointtap' | 'on-controltap' | 'on-poitap'>
    /** Shows its content while the window matches. */
    MatchMedia: Replaceable<Tag<'match-media', PropsOf<typeof tags.MatchMedia>, never>>
    /** The area in which a `movable-view` can be moved. */
    MovableArea: Tag<'movable-area', Record<never, never>, 'scale-area'>
    /** A box that the user moves in a `movable-area`. */
    MovableView: Tag<'movable-view', PropsOf<typeof tags.MovableView>, 'damping' | 'friction' | 'inertia' | 'scale' | 'scale-max' | 'scale-min' | 'scale-value' | 'on-scale'>
    /** Changes the navigation bar of the page. Inside `page-meta`. */
    NavigationBar: Replaceable<Tag<'navigation-bar', PropsOf<typeof tags.NavigationBar>, 'blur-effect' | 'subtitle-color' | 'subtitle-overflow' | 'subtitle-size' | 'subtitle-text' | 'text-size' | 'title-align' | 'title-icon' | 'title-icon-radius'>>
    /** A link to a page. */
    Navigator: Tag<'navigator', PropsOf<typeof tags.Navigator>, 'app-id' | 'extra-data' | 'path' | 'render-link' | 'short-link' | 'target' | 'version'>
    /** Changes the page. It must be the first tag of a page. */
    PageMeta: Replaceable<Tag<'page-meta', PropsOf<typeof tags.PageMeta>, 'page-font-size' | 'page-orientation'>>
    /** Opens a sheet to choose from lists, a time or a date. */
    Picker: PickerTag<typeof tags.Picker, 'custom-item' | 'selector-type'>
    /** Columns to choose from, in the page. */
    PickerView: Tag<'picker-view', PropsOf<typeof tags.PickerView>, 'immediate-change' | 'mask-bottom-style' | 'mask-top-style'>
    /** A column of a `picker-view`. */
    PickerViewColumn: Tag<'picker-view-column', PropsOf<typeof tags.PickerViewColumn>, never>
    /** A line that shows how far something is. */
    Progress: Tag<'progress', PropsOf<typeof tags.Progress>, never>
    /** A choice of a `radio-group`. */
    Radio: Tag<'radio', PropsOf<typeof tags.Radio>, never>
    /** Choices of which one can be chosen. */
    RadioGroup: Tag<'radio-group', PropsOf<typeof tags.RadioGroup>, never>
    /** Text with formats, from HTML or nodes. */
    RichText: Tag<'rich-text', PropsOf<typeof tags.RichText>, 'image-menu-prevent' | 'preview'>
    /** Moves its content out of the tags around it, above the page. */
    RootPortal: Replaceable<Tag<'root-portal', PropsOf<typeof tags.RootPortal>, never>>
    /** An area that scrolls. */
    ScrollView: Tag<'scroll-view', PropsOf<typeof tags.ScrollView>, 'bounces' | 'enable-back-to-top' | 'enable-passive' | 'enhanced' | 'fast-deceleration' | 'paging-enabled' | 'scroll-anchoring'>
    /** A value between two numbers, which the user moves. */
    Slider: Tag<'slider', PropsOf<typeof tags.Slider>, never>
    /** Items of which one is shown at a time. */
    Swiper: Tag<'swiper', PropsOf<typeof tags.Swiper>, 'acceleration' | 'disable-programmatic-animation' | 'skip-hidden-item-layout' | 'snap-to-edge'>
    /** An item of a `swiper`. */
    SwiperItem: Tag<'swiper-item', PropsOf<typeof tags.SwiperItem>, 'skip-hidden-item-layout'>
    /** A switch that is on or off. */
    Switch: Tag<'switch', PropsOf<typeof tags.Switch>, never>
    /** A text within a line. */
    Text: Tag<'text', PropsOf<typeof tags.Text>, never>
    /** A field for several lines of text. */
    Textarea: Tag<'textarea', PropsOf<typeof tags.Textarea>, 'adjust-position' | 'always-embed' | 'auto-blur' | 'controlled' | 'cursor-color' | 'cursor-spacing' | 'hold-keyboard' | 'ignore-composition-event' | 'on-keyboardheightchange' | 'adjust-keyboard-to' | 'disable-default-padding'>
    /** A video. */
    Video: Tag<'video', PropsOf<typeof tags.Video>, 'ad-unit-id' | 'auto-pause-if-navigate' | 'auto-pause-if-open-native' | 'background-poster' | 'codec' | 'danmu-btn' | 'danmu-list' | 'direction' | 'enable-auto-rotation' | 'enable-danmu' | 'enable-play-gesture' | 'enable-progress-gesture' | 'header' | 'http-cache' | 'is-live' | 'mobilenet-hint-type' | 'page-gesture' | 'picture-in-picture-mode' | 'play-btn-position' | 'play-strategy' | 'poster-for-crawler' | 'poster-size' | 'show-background-playback-button' | 'show-bottom-progress' | 'show-center-play-btn' | 'show-loading' | 'show-mute-btn' | 'show-play-btn' | 'show-progress' | 'show-screen-lock-button' | 'show-snapshot-button' | 'title' | 'vslide-gesture' | 'vslide-gesture-in-fullscreen' | 'on-controlstoggle' | 'on-enterpictureinpicture' | 'on-fullscreenclick' | 'on-leavepictureinpicture'>
    /** A box, the most common tag. */
    View: Tag<'view', PropsOf<typeof tags.View>, never>
    /** A row of a `list`, or a box of a `waterfall`. */
    Cell: Replaceable<Tag<'cell', PropsOf<typeof tags.Cell>, 'insert-animation' | 'delete-animation' | 'recycle' | 'render-reverse-position'>>
    /** A scrolling list of many rows, with pulling to refresh and to load more. */
    List: Replaceable<Tag<'list', PropsOf<typeof tags.List>, 'always-scrollable-vertical' | 'enable-back-to-top' | 'fix-freezon-position' | 'paging-enabled' | 'render-reverse'>>
    /** A row that stays at the top of a `list`. Written `header` there. */
    ListHeader: Replaceable<Tag<'list-header', PropsOf<typeof tags.ListHeader>, never>>
    /** Opens at the end of a `list` by a pull, to load more. */
    Loading: Replaceable<Tag<'loading', PropsOf<typeof tags.Loading>, never>>
    /** The turning sign in `refresh` and `loading`. */
    LoadingIndicator: Tag<'loading-indicator', Record<never, never>, never>
    /** A `list` under another name. */
    RecycleList: Replaceable<Tag<'recycle-list', PropsOf<typeof tags.RecycleList>, never>>
    /** Opens at the start of a `list` by a pull, to refresh it. */
    Refresh: Replaceable<Tag<'refresh', PropsOf<typeof tags.Refresh>, never>>
    /** A `list` with columns. */
    Waterfall: Replaceable<Tag<'waterfall', PropsOf<typeof tags.Waterfall>, 'always-scrollable-vertical'>>
    /** A page of the web that fills the page. */
    WebView: Tag<'web-view', PropsOf<typeof tags.WebView>, 'allow' | 'fullscreen' | 'sandbox' | 'update-title' | 'webview-styles' | 'on-error'>
  }
  /** Attributes that each component passes on to its element. The types of its own props and events stay. */
  interface AllowedComponentProps extends AriaAttributes {
    id?: unknown
    onTap?: unknown
  }
  interface HTMLAttributes {
    onTap?: CommonAttributes['onTap']
  }
  interface ComponentCustomProperties {
    neu: Neu
    uni: Neu
    wx: Neu
    /** Returns the channel to the page that opened this one with `neu.navigateTo`. */
    getOpenerEventChannel(): EventChannel | undefined
  }
}
