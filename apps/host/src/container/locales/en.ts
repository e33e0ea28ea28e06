export default {
  menu: 'Menu of the mini app',
  leave: 'Leave the mini app',
  stages: { development: 'in development', review: 'in review', published: 'published' },
  fromServer: 'From a development server',
  again: 'Start again',
  shared: 'What you have shared',
  versions: 'Versions for testers',
  open: 'Open',
  isOpen: 'Open now',
  retry: 'Try again',
  failures: {
    missing: 'There is no such mini app, or it is not open to you.',
    unreleased: 'This mini app has not been released yet.',
    unknownRelease: 'This version is not open to you.',
    manifest: 'The mini app cannot be loaded.',
    server:
      'Only a sandbox opens development servers, and only those on this device: http://localhost or http://127.0.0.1.',
  },
  clipboard: {
    title: 'Let {name} read what you copied?',
    text: 'It gets the text that you copied last, wherever that was.',
    allow: 'Allow',
    refuse: 'Refuse',
  },
  web: {
    refused: 'This address cannot be shown here.',
    outside: 'Open in the browser',
  },
}
