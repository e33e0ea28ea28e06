export default {
  title: 'Profile',
  lead: 'Your account, and the key with which programs of yours read data.',
  person: {
    title: 'You',
    administrator: 'You are an administrator: in every project you may do what its owners may.',
    language: 'Language of the console',
  },
  key: {
    title: 'API Key Management',
    text: 'One key of your own for the platform data API. It may do what you may, and it cannot sign in to this console.',
    noneYet: 'You have no key yet. Show generates it and shows it in full, this once.',
    show: 'Show',
    refresh: 'Refresh API Key',
    shownBefore: 'A key is shown in full only once, when it is generated. If it is lost, refresh it.',
    current: 'Key',
    made: 'Generated',
    usedAt: 'Last used',
    usedFrom: 'From',
    never: 'Never',
    rotationDue:
      'This key is one day old. | This key is {count} days old. Refresh it every 90 days, and at once where it may have leaked.',
    refreshTitle: 'Refresh the API key?',
    refreshWarning:
      'The old key stops working at once, on every server. All integrations that use it fail until they have the new key.',
    refreshUsed: 'The key was last used {time}, from {address}.',
    use: 'How it is used',
    practice: 'Keep it on servers you trust: never in web pages, apps or repositories, never in logs. Use https.',
  },
  password: {
    title: 'Password',
    text: 'A change ends every other session of yours, and your tokens.',
    current: 'Current password',
    change: 'Change the password',
    changed: 'The password has been changed',
  },
}
