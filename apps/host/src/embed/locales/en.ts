export default {
  failed: 'The mini app cannot be opened',
  close: 'Close',
  guide: 'Guide for developers',
  channel: {
    title: 'This page belongs in an application',
    text: 'It shows a mini app in a web view or in a frame. No channel to an application was found: a web view must add the object soukHost or run in React Native, and a web page must use @souk/host.',
  },
  address: {
    title: 'There is no mini app at this address',
    text: 'The address of an embedded mini app is /host/embed/ followed by its appid.',
  },
}
