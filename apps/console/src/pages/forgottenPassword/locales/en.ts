export default {
  title: 'Forgot password',
  lead: 'If the account has a confirmed e-mail address, a link to set a new password is sent to it.',
  username: 'User name or e-mail address',
  send: 'Send link',
  sent: 'If the account has a confirmed e-mail address, the link is on its way. It is valid for one hour; until then, no new link is sent.',
  signIn: 'Sign in',
}
