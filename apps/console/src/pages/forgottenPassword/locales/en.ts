export default {
  title: 'Forgot password',
  lead: 'If the account has a confirmed e-mail address, a link to set a new password is sent to it.',
  username: 'User name or e-mail address',
  send: 'Send link',
  sent: 'If the account has a confirmed e-mail address, a mail is on its way. The link is valid for one hour; until then no other one is sent.',
  signIn: 'Sign in',
}
