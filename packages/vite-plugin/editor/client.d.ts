// Global types of mini app pages, for editors and vue-tsc. Generated from the table of tags by `npm run generate`.
/// <reference types="vite/client" />
/// <reference types="@souk/runtime/constants" />
import type { EventChannel, Neu } from '@souk/runtime'
import type * as tags from '@souk/tags'

/** A tag's component, which forwards all events of its element, such as `@tap` and `@change`. */
type Tag<Component extends new (...args: never) => { $props: object; $slots: object }> = new () => {
  $props: InstanceType<Component>['$props'] & Listeners
  $slots: InstanceType<Component>['$slots']
}
// biome-ignore lint/suspicious/noExplicitAny: the event type depends on the tag
type Listeners = { [name: `on${string}`]: ((event: any) => unknown) | undefined }
type Children = new () => { $props: object; $slots: { default(): unknown } }

declare module 'vue' {
  interface GlobalComponents {
    Block: Children
    Button: Tag<typeof tags.Button>
    Checkbox: Tag<typeof tags.Checkbox>
    CheckboxGroup: Tag<typeof tags.CheckboxGroup>
    CoverImage: Tag<typeof tags.CoverImage>
    CoverView: Tag<typeof tags.CoverView>
    Editor: Tag<typeof tags.Editor>
    Form: Tag<typeof tags.Form>
    Icon: Tag<typeof tags.Icon>
    Image: Tag<typeof tags.Image>
    Input: Tag<typeof tags.Input>
    Label: Tag<typeof tags.Label>
    Map: Tag<typeof tags.Map>
    MatchMedia: Tag<typeof tags.MatchMedia>
    MovableArea: Children
    MovableView: Tag<typeof tags.MovableView>
    NavigationBar: Tag<typeof tags.NavigationBar>
    Navigator: Tag<typeof tags.Navigator>
    PageMeta: Tag<typeof tags.PageMeta>
    Picker: Tag<typeof tags.Picker>
    PickerView: Tag<typeof tags.PickerView>
    PickerViewColumn: Tag<typeof tags.PickerViewColumn>
    Progress: Tag<typeof tags.Progress>
    Radio: Tag<typeof tags.Radio>
    RadioGroup: Tag<typeof tags.RadioGroup>
    RichText: Tag<typeof tags.RichText>
    RootPortal: Tag<typeof tags.RootPortal>
    ScrollView: Tag<typeof tags.ScrollView>
    Slider: Tag<typeof tags.Slider>
    Swiper: Tag<typeof tags.Swiper>
    SwiperItem: Tag<typeof tags.SwiperItem>
    Switch: Tag<typeof tags.Switch>
    Text: Tag<typeof tags.Text>
    Textarea: Tag<typeof tags.Textarea>
    View: Tag<typeof tags.View>
    WebView: Tag<typeof tags.WebView>
  }
  interface ComponentCustomProperties {
    neu: Neu
    uni: Neu
    wx: Neu
    /** Returns the channel to the page that opened this one with `neu.navigateTo`. */
    getOpenerEventChannel(): EventChannel | undefined
  }
}
