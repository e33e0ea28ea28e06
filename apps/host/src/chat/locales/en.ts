export default {
  title: 'Chat',
  text: 'Mini apps are shared here as cards. Only a sandbox has these conversations, between its mock users.',
  nobody: 'There is no other mock user. Create one in the console, under Sandbox.',
  empty: 'No cards yet. Share a mini app from its menu.',
  sent: 'Sent',
  received: 'Received',
}
