import categories from '@souk/contract/categories/en'

export default {
  title: 'Souk',
  profile: 'Me: {name}',
  activities: 'Happening now',
  apps: 'Mini apps',
  none: 'No mini apps yet.',
  test: 'Test',
  search: 'Search mini apps and pages',
  nothingFound: 'Nothing found for “{query}”.',
  found: '{count, number} found',
  pages: 'Pages',
  pinned: 'Pinned',
  recent: 'Recently used',
  recommended: 'Recommended',
  category: 'Category',
  all: 'All',
  categories,
  inDevelopment: 'In development',
  more: 'Show more',
  howToUpload: 'Upload a mini app with npx souk upload. Its testers can open it before it is published.',
}
