export default {
  account: 'Account',
  title: 'Join {project}',
  lead: '{name} invited you as {role}.',
  as: 'Signed in as {name}.',
  accept: 'Accept invitation',
  new: 'Create account',
  known: 'Use existing account',
  join: 'Create account and join',
  signIn: 'Sign in and join',
  until: 'Valid once, until {time}.',
}
