export default {
  title: 'Add a second factor',
  lead: 'This installation requires one, so that a password alone is not enough. Then you can continue.',
  passkey: 'Add a passkey',
  totp: 'Add an authenticator app',
  help: 'A passkey is a fingerprint, face, PIN or security key of this or another device.',
}
