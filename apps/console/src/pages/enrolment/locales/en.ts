export default {
  title: 'Add a second factor',
  lead: 'This installation requires a second factor in addition to your password. Add one to continue.',
  passkey: 'Add a passkey',
  totp: 'Add an authenticator app',
  help: 'A passkey is a fingerprint, face, PIN or security key of this or another device.',
}
