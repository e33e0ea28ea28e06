export default {
  menu: 'Mini app menu',
  leave: 'Leave mini app',
  stages: { development: 'in development', review: 'in review', published: 'published' },
  fromServer: 'Development server',
  restart: 'Restart',
  shared: 'Shared data',
  versions: 'Test versions',
  open: 'Open',
  isOpen: 'Current',
  retry: 'Try again',
  failures: {
    missing: 'This mini app does not exist or is not available to you.',
    unreleased: 'This mini app has not been released yet.',
    unknownRelease: 'This version is not available to you.',
    manifest: 'The mini app could not be loaded.',
    server:
      'Development servers can only be opened in a sandbox and on this device: http://localhost or http://127.0.0.1.',
  },
  clipboard: {
    title: 'Allow {name} to read your clipboard?',
    text: 'It will see the text you last copied in any app.',
    allow: 'Allow',
    deny: 'Deny',
  },
  notice: {
    title: 'What {name} learns',
    text: 'Your name, your picture, and an ID made for it. It must ask you for your e-mail address and phone number.',
    dismiss: 'Got it',
  },
  web: {
    refused: 'This page cannot be shown here.',
    unapproved: 'Pages of {host} are not approved for this mini app.',
    outside: 'Open in browser',
  },
}
