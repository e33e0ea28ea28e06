export default {
  failed: 'The mini app cannot be opened',
  close: 'Close',
  guide: 'Guide for developers',
  channel: {
    title: 'This page belongs in an application',
    text: 'It shows a mini app in a web view or in a frame. No channel to an application was found: a web view must add the object soukHost or run in React Native, and a web page must use @souk/host.',
  },
  kinds: {
    webkit: 'iOS: webkit.messageHandlers.soukHost',
    soukHost: 'Android or Flutter: soukHost',
    reactNative: 'React Native: ReactNativeWebView',
    frame: 'Frame of a web page',
  },
  check: {
    title: 'Check of the application',
    channel: 'Channel',
    version: 'Protocol version',
    session: 'Session',
    noSession: 'The server has not accepted a session.',
    handlers: 'Functions',
    missing: 'The page itself does everything that the application does not list in handles.',
    required: 'Required',
    handled: 'Done by the application',
    byPage: 'Done by the page',
    try: 'Try',
    waiting: 'Waiting for the answer…',
    close: 'Send close',
  },
  address: {
    title: 'There is no mini app at this address',
    text: 'The address of an embedded mini app is /host/embed/ followed by its appid.',
  },
}
