export default {
  title: 'Confirm e-mail address',
  as: 'Signed in as {name}.',
  signInFirst: 'Sign in with the account that the mail names.',
  confirm: 'Confirm address',
  signIn: 'Sign in',
  done: 'Address confirmed',
}
