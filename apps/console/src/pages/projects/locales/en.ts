export default {
  title: 'Projects',
  lead: 'A project holds mini apps, and the people who may look after them.',
  create: 'New project',
  name: 'Name of the project',
  empty: 'No project yet',
  emptyText: 'Create one, or ask an owner of an existing one for an invitation.',
  apps: 'one mini app | {count} mini apps',
  members: 'one member | {count} members',
}
