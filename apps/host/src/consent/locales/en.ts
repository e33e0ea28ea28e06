export default {
  title: 'Share with {name}?',
  lead: '{name} asks for these details of yours:',
  fields: {
    nickName: 'Name',
    avatar: 'Picture',
    email: 'E-mail',
    country: 'Country',
    phone: 'Phone',
  },
  unset: 'none given',
  withdraw: 'You can withdraw this at any time under “Me”.',
  allow: 'Allow',
  refuse: 'Refuse',
}
