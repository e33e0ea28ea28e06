export default {
  title: 'Share with {name}?',
  lead: '{name} is asking for access to:',
  known: '{name} already knows your name and picture.',
  fields: {
    email: 'E-mail',
    country: 'Country',
    phone: 'Phone',
  },
  unset: 'Not provided',
  withdraw: 'You can revoke access at any time under “Me”.',
  allow: 'Allow',
  deny: 'Deny',
}
