export default {
  title: 'Notifications',
  empty: 'No notifications yet.',
  unread: 'Unread',
  readAll: 'Mark all as read',
  older: 'Show older',
  offer: 'Get notified even when Souk is in the background.',
  switchOn: 'Turn on',
}
