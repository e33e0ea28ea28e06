export default {
  title: 'Share with {name}?',
  lead: '{name} is asking for access to:',
  known: '{name} already has:',
  again: '{name} received again: {data}',
  withdraw: 'You can revoke access at any time under “Me”.',
  allow: 'Allow',
  deny: 'Deny',
}
