export default {
  title: 'Sign in',
  waiting: 'Your sign-in is being completed.',
  again: 'Back to sign-in',
}
