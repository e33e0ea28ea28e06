export default {
  title: 'Welcome to Souk',
  lead: 'Create the first account, the administrator of this installation.',
  submit: 'Create administrator',
  needsLink: 'No administrator exists yet. Open the one-time link that Souk printed to the terminal at startup.',
  done: 'Already set up',
  doneText: 'An administrator exists, so this link is no longer valid.',
  signIn: 'Sign in',
}
