export default {
  title: 'Join {project}',
  lead: '{name} invites you as {role}.',
  as: 'You are signed in as {name}.',
  accept: 'Accept the invitation',
  new: 'I am new here',
  known: 'I have an account',
  join: 'Create an account and join',
  signIn: 'Sign in and join',
  until: 'The invitation counts until {time}, and once.',
}
