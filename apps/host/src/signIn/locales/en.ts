export default {
  title: 'Who are you?',
  language: 'Language',
  sandbox: 'This is a sandbox. Choose one of its mock users; nothing is proven, and nothing costs money.',
  nobody: 'There is no mock user yet. Create one in the console, at the sandbox desk.',
  live: 'This installation is live. Its users sign in with the application of the company that runs it.',
}
