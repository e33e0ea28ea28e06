export default {
  title: 'Profile',
  lead: 'Your account, and the API key for your programs.',
  person: {
    title: 'Personal details',
    administrator: 'You are an administrator, with owner rights in every project.',
    language: 'Console language',
  },
  key: {
    title: 'API Key Management',
    text: 'Your personal key for the platform data API. It has your permissions, but cannot sign in to this console.',
    noneYet: 'You have no key yet. Show generates one and displays it in full, only once.',
    show: 'Show',
    refresh: 'Refresh API Key',
    shownBefore: 'A key is shown in full only once, when it is generated. If you lose it, refresh it.',
    current: 'Key',
    made: 'Generated',
    usedAt: 'Last used',
    usedFrom: 'IP address',
    never: 'Never',
    rotationDue:
      'This key is one day old. | This key is {count} days old. Refresh it every 90 days, and immediately if it may have leaked.',
    refreshTitle: 'Refresh the API key?',
    refreshWarning:
      'The old key stops working immediately. All integrations that use it fail until they have the new key.',
    refreshUsed: 'Last used {time} from {address}.',
    use: 'Usage',
    practice: 'Store it only on servers you trust, never in web pages, apps, repositories or logs. Use https.',
  },
  password: {
    title: 'Password',
    text: 'Changing it ends your other sessions and revokes your tokens.',
    current: 'Current password',
    change: 'Change password',
    changed: 'Password changed',
  },
}
