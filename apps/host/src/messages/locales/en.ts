export default {
  entry: 'Messages',
  text: 'Notifications, and messages on your home page.',
  levels: {
    on: { title: 'On', text: 'With a banner' },
    silent: { title: 'Silent', text: 'Without a banner' },
    off: { title: 'Off', text: 'You get no messages' },
  },
  saved: 'Saved',
  ask: {
    title: 'Let {name} send you messages?',
    text: '{name} wants to send you notifications, and messages on your home page. You can change this at any time in its menu and under “Me”.',
    on: 'Allow',
    silent: 'Allow without banners',
    off: 'Don’t allow',
  },
  section: 'Messages from mini apps',
  none: 'No mini app can send you messages yet.',
}
