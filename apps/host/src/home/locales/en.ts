export default {
  title: 'Souk',
  profile: 'Me: {name}',
  activities: 'At the moment',
  apps: 'Mini apps',
  none: 'There is no mini app yet.',
  test: 'Test',
  notUploaded: 'Not uploaded',
  howToUpload: 'souk upload brings a mini app here; its testers see it before it is published.',
}
