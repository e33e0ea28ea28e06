export default {
  title: 'Nothing is here',
  text: 'This address leads to no page.',
  home: 'To the projects',
}
