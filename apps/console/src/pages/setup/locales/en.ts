export default {
  title: 'Welcome to Souk',
  lead: 'Create the first account. It is the administrator of this installation and may do everything.',
  submit: 'Create the administrator',
  needsLink: 'No administrator exists yet. Open the one-time link that Souk printed in its terminal when it started.',
  done: 'Already set up',
  doneText: 'The first administrator exists, so this link no longer counts.',
  signIn: 'Sign in',
}
