export default {
  title: 'A new password',
  lead: 'For the account of {name}.',
  submit: 'Set the password and sign in',
  consequences: 'Wherever this account is signed in, that ends. Its API key stays as it is.',
  until: 'The link counts until {time}, and once.',
  done: 'The password has been set',
  signIn: 'To the sign-in',
}
