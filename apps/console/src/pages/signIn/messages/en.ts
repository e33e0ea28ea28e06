export default {
  title: 'Sign in',
  submit: 'Sign in',
  needsSetup: 'No administrator exists yet: open the one-time link that Souk printed in its terminal.',
  noAccount: 'No account? Ask an owner of your project for an invitation.',
}
