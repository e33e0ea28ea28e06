export default {
  nav: {
    label: 'Navigation',
    home: 'Home',
    inbox: 'Notifications',
    chat: 'Chat',
    profile: 'Me',
    unread: '{shown} unread',
  },
  language: 'Language',
  scheme: 'Appearance',
  schemes: { system: 'System', light: 'Light', dark: 'Dark' },
  device: {
    title: 'Device',
    screen: 'Screen',
    screens: {
      fit: 'Fit window',
      small: 'Small 320 × 568',
      phone: 'Phone 375 × 667',
      tall: 'Tall 390 × 844',
      tablet: 'Tablet 768 × 1024',
    },
    landscape: 'Landscape',
    statusBar: 'Status bar',
    inspector: 'Inspector',
    inspectorText: 'Open a mini app to inspect it.',
    platform: 'Platform',
    os: 'OS',
    clock: 'Sandbox clock',
    forward: 'Move clock forward',
    reset: 'Reset clock',
    clockText:
      'Orders, payments, messages and sign-ins follow this clock. Changes affect everyone who uses this sandbox.',
    clockFailed: 'The clock could not be changed',
    administrators:
      'Only console administrators can change the clock. Sign in to the console in this browser, then try again.',
    console: 'Open console',
  },
}
