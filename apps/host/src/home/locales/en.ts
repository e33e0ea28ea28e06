export default {
  title: 'Souk',
  profile: 'Me: {name}',
  activities: 'Happening now',
  apps: 'Mini apps',
  none: 'No mini apps yet.',
  test: 'Test',
  notUploaded: 'Not uploaded yet',
  howToUpload: 'Upload a mini app with souk upload. Its testers can open it before it is published.',
}
