export default {
  menu: 'Mini app menu',
  leave: 'Leave mini app',
  stages: { development: 'in development', review: 'in review', published: 'published' },
  fromServer: 'Development server',
  restart: 'Restart',
  share: 'Share',
  linkCopied: 'Link copied',
  linkNotCopied: 'The link could not be copied: {url}',
  feedback: 'Feedback',
  report: 'Report',
  about: {
    entry: 'About',
    title: 'About {name}',
    developer: 'Developer',
    data: 'Data that it gets',
    permissions: 'Permissions',
    permissionsText:
      'It asks before it uses your clipboard, camera, microphone, location or motion sensors, and before it saves a file.',
    hosts: 'Servers that it reaches',
    noHosts: 'None are approved.',
  },
  pin: 'Pin to home page',
  unpin: 'Unpin from home page',
  shared: 'Shared data',
  news: 'What’s new',
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
  inspector: {
    entry: 'Inspector',
    requests: 'Requests of the backend',
    noRequests: 'The backend has sent no requests.',
    refresh: 'Refresh',
    details: 'Open in the console',
    diagnosis: 'Open the diagnosis of the sign',
    members: 'Only members of the project see the requests of its backend. Sign in to the console in this browser.',
    console: 'Open console',
  },
  access: {
    clipboard: {
      title: 'Allow {name} to read your clipboard?',
      text: 'It will see the text you last copied in any app.',
    },
    camera: {
      title: 'Allow {name} to scan codes with your camera?',
      text: 'It gets the text of the code, not the picture.',
    },
    microphone: {
      title: 'Allow {name} to record sound?',
      text: 'It can use your microphone until you close it, and only while you see it.',
    },
    location: {
      title: 'Allow {name} to know where you are?',
      text: 'It can read your location until you close it.',
    },
    motion: {
      title: 'Allow {name} to sense movement?',
      text: 'It can read how this device is moved and turned until you close it.',
    },
    map: {
      title: 'Open this place on a map?',
      text: 'The map of openstreetmap.org opens in a new window.',
    },
    download: {
      title: 'Allow {name} to save a file?',
      text: 'The file goes to the downloads of this device.',
    },
    share: {
      title: 'Share this from {name}?',
      text: 'You choose with whom next.',
    },
    miniApp: {
      title: 'Open another mini app?',
      text: '{name} asks to leave for it.',
    },
    allow: 'Allow',
    deny: 'Deny',
  },
  notice: {
    title: 'What {name} learns',
    text: 'It must ask you for everything else.',
    dismiss: 'Got it',
  },
  web: {
    refused: 'This page cannot be shown here.',
    unapproved: 'Pages of {host} are not approved for this mini app.',
    outside: 'Open in browser',
  },
}
