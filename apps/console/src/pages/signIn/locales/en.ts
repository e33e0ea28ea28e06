export default {
  title: 'Sign in',
  submit: 'Sign in',
  needsSetup: 'No administrator exists yet. Open the one-time link that Souk printed to the terminal at startup.',
  noAccount: 'No account? Ask a project owner for an invitation.',
  forgotten: 'Forgot your password? Ask a project owner for a password reset link.',
  forgot: 'Forgot password?',
}
