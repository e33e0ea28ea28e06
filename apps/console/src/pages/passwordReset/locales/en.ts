export default {
  title: 'Reset password',
  lead: 'Account: {name}',
  submit: 'Set password and sign in',
  consequences: 'All other sessions of this account end. Its API key stays valid.',
  until: 'Valid once, until {time}.',
  done: 'Password changed',
  signIn: 'Sign in',
}
