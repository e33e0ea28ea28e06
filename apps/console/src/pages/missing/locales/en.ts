export default {
  title: 'Page not found',
  text: 'The page at this address does not exist.',
  home: 'Go to projects',
}
