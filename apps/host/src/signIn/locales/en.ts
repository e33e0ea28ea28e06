export default {
  title: 'Sign in',
  language: 'Language',
  signInWith: 'Sign in with {name}',
  again: 'Back to sign-in',
  sandbox: 'This is a sandbox. Choose a mock user to continue. No password is needed, and no real money moves.',
  noUsers: 'No mock users yet. Create one in the console under Sandbox.',
  live: 'This is a live installation. Its users sign in with the operator’s own app.',
}
