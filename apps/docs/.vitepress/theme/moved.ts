/** Sections that have become pages: by the page that had them and their anchor there, the path on the site. */
export const moved: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'guides/operations.md': {
    installing: 'guides/install#installing',
    'packages-for-developers': 'guides/install#packages-for-developers',
    'stopping-and-restarting': 'guides/install#stopping-and-restarting',
    settings: 'guides/settings',
    'secrets-in-files': 'guides/settings#secrets-in-files',
    'the-example': 'guides/settings#the-example',
    'first-sign-in-to-the-console': 'guides/accounts#first-sign-in-to-the-console',
    'lost-passwords-and-disabled-accounts': 'guides/accounts#lost-passwords-and-disabled-accounts',
    'projects-on-the-command-line': 'guides/accounts#projects-on-the-command-line',
    mail: 'guides/mail',
    'sign-on': 'guides/sign-on#sign-on',
    'second-factors': 'guides/sign-on#second-factors',
    'checking-an-installation': 'guides/doctor',
    monitoring: 'guides/doctor#monitoring',
    approvals: 'guides/approvals#approvals',
    blocks: 'guides/approvals#blocks',
    'secret-files': 'guides/keys#secret-files',
    'master-keys': 'guides/keys#master-keys',
    'admin-token': 'guides/keys#admin-token',
    'the-host-application': 'guides/network#the-host-application',
    'hosts-that-mini-apps-reach': 'guides/network#hosts-that-mini-apps-reach',
    'requests-of-the-server': 'guides/network#requests-of-the-server',
    'map-tiles': 'guides/network#map-tiles',
    'own-origin-for-mini-apps': 'guides/network#own-origin-for-mini-apps',
    'what-limits-clients': 'guides/network#what-limits-clients',
    'captured-requests': 'guides/network#captured-requests',
    upgrades: 'guides/upgrades',
    migrations: 'guides/upgrades#migrations',
    'a-new-major-version-of-the-embedded-postgresql': 'guides/upgrades#a-new-major-version-of-the-embedded-postgresql',
    'audit-log': 'guides/audit',
    'connections-to-the-database': 'guides/database#connections-to-the-database',
    'a-pooler': 'guides/database#a-pooler',
    'multiple-processes': 'guides/database#multiple-processes',
    'moving-to-another-database': 'guides/database#moving-to-another-database',
    'object-storage': 'guides/object-storage',
    backup: 'guides/backup',
    'where-souk-finds-the-server': 'guides/command-line#where-souk-finds-the-server',
  },
}

/** Returns the address of a section that is no longer on the page, from the root of the site. */
export function movedTo(page: string, hash: string): string | undefined {
  const path = moved[page]?.[hash.slice(1)]
  return path === undefined ? undefined : `/${path}`
}
