export default {
  title: 'Notifications',
  nothing: 'Nothing has come yet.',
  unread: 'Unread',
  readAll: 'Mark all as read',
  older: 'Older ones',
  offer: 'Hear of news while you look at something else.',
  switchOn: 'Switch on',
}
