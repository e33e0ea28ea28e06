// Global types of mini app pages, for editors and vue-tsc. Generated from the table of tags by `npm run generate`.
/// <reference types="vite/client" />
/// <reference types="@souk/runtime/constants" />
import type { EventChannel, Neu } from '@souk/runtime'
import type * as tags from '@souk/tags'
import type { CommonAttributes, PickerTag, PropsOf, Replaceable, Tag } from '@souk/tags/types'
import type { AriaAttributes } from 'vue'

declare module 'vue' {
  interface GlobalComponents {
    Audio: Tag<'audio', PropsOf<typeof tags.Audio>, never>
    Block: Tag<'block', Record<never, never>, never>
    Button: Tag<'button', PropsOf<typeof tags.Button>, 'app-parameter' | 'entrance-path' | 'group-id' | 'guild-id' | 'lang' | 'need-show-entrance' | 'phone-number-no-quota-toast' | 'public-id' | 'scope' | 'send-message-img' | 'send-message-path' | 'send-message-title' | 'session-from' | 'show-message-card' | 'on-addgroupapp' | 'on-agreeprivacyauthorization' | 'on-chooseaddress' | 'on-chooseavatar' | 'on-chooseinvoicetitle' | 'on-contact' | 'on-error' | 'on-getrealtimephonenumber' | 'on-im' | 'on-launchapp' | 'on-login' | 'on-opensetting' | 'on-subscribe'>
    Canvas: Tag<'canvas', PropsOf<typeof tags.Canvas>, never>
    Checkbox: Tag<'checkbox', PropsOf<typeof tags.Checkbox>, never>
    CheckboxGroup: Tag<'checkbox-group', PropsOf<typeof tags.CheckboxGroup>, never>
    CoverImage: Tag<'cover-image', PropsOf<typeof tags.CoverImage>, never>
    CoverView: Tag<'cover-view', PropsOf<typeof tags.CoverView>, 'scroll-top'>
    Editor: Tag<'editor', PropsOf<typeof tags.Editor>, 'show-img-resize' | 'show-img-size' | 'show-img-toolbar'>
    Form: Tag<'form', PropsOf<typeof tags.Form>, 'report-submit' | 'report-submit-timeout'>
    Icon: Tag<'icon', PropsOf<typeof tags.Icon>, never>
    Image: Tag<'image', PropsOf<typeof tags.Image>, 'fade-show' | 'webp'>
    Input: Tag<'input', PropsOf<typeof tags.Input>, 'adjust-position' | 'always-embed' | 'auto-blur' | 'controlled' | 'cursor-color' | 'cursor-spacing' | 'hold-keyboard' | 'ignore-composition-event' | 'on-keyboardheightchange' | 'random-number' | 'safe-password-cert-path' | 'safe-password-custom-hash' | 'safe-password-length' | 'safe-password-nonce' | 'safe-password-salt' | 'safe-password-time-stamp' | 'text-content-type' | 'on-nicknamereview'>
    Label: Tag<'label', PropsOf<typeof tags.Label>, never>
    Map: Tag<'map', PropsOf<typeof tags.Map>, 'controls' | 'enable-3D' | 'enable-auto-max-overlooking' | 'enable-building' | 'enable-indoorMap' | 'enable-overlooking' | 'enable-poi' | 'enable-rotate' | 'enable-satellite' | 'enable-traffic' | 'layer-style' | 'rotate' | 'setting' | 'show-compass' | 'show-scale' | 'skew' | 'subkey' | 'theme' | 'on-anchorpointtap' | 'on-controltap' | 'on-poitap'>
    MatchMedia: Replaceable<Tag<'match-media', PropsOf<typeof tags.MatchMedia>, never>>
    MovableArea: Tag<'movable-area', Record<never, never>, 'scale-area'>
    MovableView: Tag<'movable-view', PropsOf<typeof tags.MovableView>, 'damping' | 'friction' | 'inertia' | 'scale' | 'scale-max' | 'scale-min' | 'scale-value' | 'on-scale'>
    NavigationBar: Replaceable<Tag<'navigation-bar', PropsOf<typeof tags.NavigationBar>, 'blur-effect' | 'subtitle-color' | 'subtitle-overflow' | 'subtitle-size' | 'subtitle-text' | 'text-size' | 'title-align' | 'title-icon' | 'title-icon-radius'>>
    Navigator: Tag<'navigator', PropsOf<typeof tags.Navigator>, 'app-id' | 'extra-data' | 'path' | 'render-link' | 'short-link' | 'target' | 'version'>
    PageMeta: Replaceable<Tag<'page-meta', PropsOf<typeof tags.PageMeta>, 'page-font-size' | 'page-orientation'>>
    Picker: PickerTag<typeof tags.Picker, 'custom-item' | 'selector-type'>
    PickerView: Tag<'picker-view', PropsOf<typeof tags.PickerView>, 'immediate-change' | 'mask-bottom-style' | 'mask-top-style'>
    PickerViewColumn: Tag<'picker-view-column', PropsOf<typeof tags.PickerViewColumn>, never>
    Progress: Tag<'progress', PropsOf<typeof tags.Progress>, never>
    Radio: Tag<'radio', PropsOf<typeof tags.Radio>, never>
    RadioGroup: Tag<'radio-group', PropsOf<typeof tags.RadioGroup>, never>
    RichText: Tag<'rich-text', PropsOf<typeof tags.RichText>, 'image-menu-prevent' | 'preview'>
    RootPortal: Replaceable<Tag<'root-portal', PropsOf<typeof tags.RootPortal>, never>>
    ScrollView: Tag<'scroll-view', PropsOf<typeof tags.ScrollView>, 'bounces' | 'enable-back-to-top' | 'enable-passive' | 'enhanced' | 'fast-deceleration' | 'paging-enabled' | 'scroll-anchoring'>
    Slider: Tag<'slider', PropsOf<typeof tags.Slider>, never>
    Swiper: Tag<'swiper', PropsOf<typeof tags.Swiper>, 'acceleration' | 'disable-programmatic-animation' | 'skip-hidden-item-layout' | 'snap-to-edge'>
    SwiperItem: Tag<'swiper-item', PropsOf<typeof tags.SwiperItem>, 'skip-hidden-item-layout'>
    Switch: Tag<'switch', PropsOf<typeof tags.Switch>, never>
    Text: Tag<'text', PropsOf<typeof tags.Text>, never>
    Textarea: Tag<'textarea', PropsOf<typeof tags.Textarea>, 'adjust-position' | 'always-embed' | 'auto-blur' | 'controlled' | 'cursor-color' | 'cursor-spacing' | 'hold-keyboard' | 'ignore-composition-event' | 'on-keyboardheightchange' | 'adjust-keyboard-to' | 'disable-default-padding'>
    Video: Tag<'video', PropsOf<typeof tags.Video>, 'ad-unit-id' | 'auto-pause-if-navigate' | 'auto-pause-if-open-native' | 'background-poster' | 'codec' | 'danmu-btn' | 'danmu-list' | 'direction' | 'enable-auto-rotation' | 'enable-danmu' | 'enable-play-gesture' | 'enable-progress-gesture' | 'header' | 'http-cache' | 'is-live' | 'mobilenet-hint-type' | 'page-gesture' | 'picture-in-picture-mode' | 'play-btn-position' | 'play-strategy' | 'poster-for-crawler' | 'poster-size' | 'show-background-playback-button' | 'show-bottom-progress' | 'show-center-play-btn' | 'show-loading' | 'show-mute-btn' | 'show-play-btn' | 'show-progress' | 'show-screen-lock-button' | 'show-snapshot-button' | 'title' | 'vslide-gesture' | 'vslide-gesture-in-fullscreen' | 'on-controlstoggle' | 'on-enterpictureinpicture' | 'on-fullscreenclick' | 'on-leavepictureinpicture'>
    View: Tag<'view', PropsOf<typeof tags.View>, never>
    Cell: Replaceable<Tag<'cell', PropsOf<typeof tags.Cell>, 'insert-animation' | 'delete-animation' | 'recycle' | 'render-reverse-position'>>
    List: Replaceable<Tag<'list', PropsOf<typeof tags.List>, 'always-scrollable-vertical' | 'enable-back-to-top' | 'fix-freezon-position' | 'paging-enabled' | 'render-reverse'>>
    ListHeader: Replaceable<Tag<'list-header', PropsOf<typeof tags.ListHeader>, never>>
    Loading: Replaceable<Tag<'loading', PropsOf<typeof tags.Loading>, never>>
    LoadingIndicator: Tag<'loading-indicator', Record<never, never>, never>
    RecycleList: Replaceable<Tag<'recycle-list', PropsOf<typeof tags.RecycleList>, never>>
    Refresh: Replaceable<Tag<'refresh', PropsOf<typeof tags.Refresh>, never>>
    Waterfall: Replaceable<Tag<'waterfall', PropsOf<typeof tags.Waterfall>, 'always-scrollable-vertical'>>
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
