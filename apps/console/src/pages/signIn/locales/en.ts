export default {
  title: 'Sign in',
  submit: 'Sign in',
  needsSetup: 'No administrator exists yet: open the one-time link that Souk printed in its terminal.',
  noAccount: 'No account? Ask an owner of your project for an invitation.',
  forgotten: 'Password forgotten? Whoever manages the members of your project can make you a link to a new one.',
}
