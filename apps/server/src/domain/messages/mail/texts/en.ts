import type { Texts } from './texts.ts'

const where = 'Account: {username}. Time: {time}. IP address: {address}.'

export const en: Texts = {
  mails: {
    test: { subject: 'Test mail of Souk', lines: ['Souk can send mail.'] },
    invitation: {
      subject: 'Invitation to {project}',
      lines: [
        '{invitedBy} invites you to the project {project} on Souk. Your role: {role}.',
        'The link works once, until {validUntil}. If you do not expect an invitation, ignore this mail.',
      ],
      action: 'Open invitation',
    },
    passwordReset: {
      subject: 'Reset your password',
      lines: [
        'With this link you can set a new password for the account {username}.',
        'The link works once, until {validUntil}. If you did not ask for it, ignore this mail: your password stays as it is.',
      ],
      action: 'Set new password',
    },
    emailConfirmation: {
      subject: 'Confirm your e-mail address',
      lines: [
        'The account {username} on Souk wants to receive mail at this address.',
        'The link works once, until {validUntil}. If this is not your account, ignore this mail.',
      ],
      action: 'Confirm address',
    },
    emailChanged: {
      subject: 'Your e-mail address was changed',
      lines: ['Mail for your account is no longer sent to this address.', where],
    },
    newDevice: {
      subject: 'New sign-in to your account',
      lines: ['Someone signed in to your account from a new device: {browser}, {system}.', where],
      action: 'Show sessions',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      lines: ['The password of your account was changed, and its other sessions have ended.', where],
      action: 'Show sessions',
    },
    credentialAdded: {
      subject: 'Added to your account: {credential}',
      lines: ['This was added to your account: {credential}.', where],
      action: 'Open profile',
    },
    credentialRemoved: {
      subject: 'Removed from your account: {credential}',
      lines: ['This was removed from your account: {credential}.', where],
      action: 'Open profile',
    },
    recoveryCodesCreated: {
      subject: 'New recovery codes',
      lines: ['New recovery codes were created for your account. Earlier codes no longer work.', where],
      action: 'Open profile',
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used',
      lines: ['A recovery code of your account was used in place of a second factor. It does not work again.', where],
      action: 'Open profile',
    },
    changeRequested: {
      subject: 'Awaiting approval: {app}',
      lines: ['{requestedBy} requests a change of the mini app {app} in the project {project}: {change}.'],
      action: 'Open requests',
    },
    changeApproved: {
      subject: 'Approved: {app}',
      lines: ['{decidedBy} approved your change of the mini app {app} in the project {project}: {change}.'],
    },
    changeRejected: {
      subject: 'Rejected: {app}',
      lines: [
        '{decidedBy} rejected your change of the mini app {app} in the project {project}: {change}.',
        'Reason: {reason}',
      ],
    },
    releaseSubmitted: {
      subject: 'Awaiting review: {app} {version}',
      lines: [
        '{submittedBy} submitted version {version} of the mini app {app} in the project {project} for review.',
        'List open reviews: souk review list',
      ],
    },
    releaseApproved: {
      subject: 'Approved: {app} {version}',
      lines: [
        '{decidedBy} approved version {version} of the mini app {app} in the project {project}. An owner can publish it.',
      ],
    },
    releaseRejected: {
      subject: 'Rejected: {app} {version}',
      lines: [
        '{decidedBy} rejected version {version} of the mini app {app} in the project {project}.',
        'Reason: {reason}',
      ],
    },
    canaryHalted: {
      subject: 'Halted: {app} {version}',
      lines: [
        'The roll-out of version {version} of the mini app {app} was halted. It exceeds the published version in: {failures}.',
        'All users get the published version again. In the console, resume the roll-out or end it.',
      ],
      action: 'Open releases',
    },
    alertRaised: {
      subject: 'Alert: {alertMetric} of {app}',
      lines: ['{alertMetric} of the mini app {app}: {value}. The threshold of the alert rule is {threshold}.'],
      action: 'Open analytics',
    },
    alertResolved: {
      subject: 'Resolved: {alertMetric} of {app}',
      lines: [
        '{alertMetric} of the mini app {app} is back to normal: {value}. The threshold of the alert rule is {threshold}.',
      ],
      action: 'Open analytics',
    },
    miniAppReported: {
      subject: 'Reported: {app}',
      lines: [
        'A user reported the mini app {app} in the project {project}. Reason: {reportReason}.',
        'You get no mail about further reports of this mini app within an hour.',
      ],
      action: 'Open reports',
    },
    callbacksDisabled: {
      subject: 'Callbacks to {host} are disabled',
      lines: [
        '{host} has acknowledged no callback of the mini app {app} since {failingSince}. Souk sends it no more callbacks.',
        'Payment results are stored meanwhile. When the host works again, enable it in the console, and send them again.',
      ],
      action: 'Open callbacks',
    },
    endpointDisabled: {
      subject: 'An event endpoint is disabled',
      lines: [
        '{url} has acknowledged no event since {failingSince}. Souk sends it no more events.',
        'Events are stored for 30 days. When the endpoint works again, enable it in the console, and send them again.',
      ],
      action: 'Open platform settings',
    },
    blocked: {
      subject: 'Blocked: {subject}',
      lines: [
        '{blockedBy} blocked {subject} on {time}: {blockedState}. Only administrators can lift this.',
        'Reason: {reason}',
        'In the console, you can send the administrators an explanation once.',
      ],
    },
    blockLifted: {
      subject: 'No longer blocked: {subject}',
      lines: ['{answeredBy} lifted the block of {subject}: {blockedState}.', 'Answer: {answer}'],
    },
    blockKept: {
      subject: 'Still blocked: {subject}',
      lines: ['{answeredBy} rejected the appeal against the block of {subject}: {blockedState}.', 'Answer: {answer}'],
    },
    blockAppealed: {
      subject: 'Appeal: {subject}',
      lines: ['{appealedBy} appeals against the block of {subject}: {blockedState}.', 'Explanation: {appeal}'],
      action: 'Open queue',
    },
  },
  footer: 'This mail was sent by Souk at {url}.',
  notYou: 'If this was not you, change your password and sign out all other sessions in your profile.',
  unknown: 'unknown',
  role: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
  credential: { passkey: 'Passkey', totp: 'Authenticator app', apiKey: 'API key', signingKey: 'Signing key' },
  change: {
    capabilities: 'Capabilities',
    publication: 'First publication',
    name: 'Name',
    iconUrl: 'Icon',
    merchantName: 'Merchant name',
    merchantLogoUrl: 'Merchant logo',
    domains: 'Hosts',
    testers: 'Testers',
  },
  reportReason: {
    fraud: 'fraud',
    harmful: 'harmful or illegal content',
    privacy: 'misuse of personal data',
    impersonation: 'impersonation of a company or person',
    other: 'other',
  },
  alertMetric: {
    errors: 'Users with JavaScript errors',
    failedLaunches: 'Users with failed launches',
    failedRequests: 'Users with failed requests',
    launchTime: 'Launch time (95%)',
    paymentSuccess: 'Payers who succeed',
    failedCallbacks: 'Callbacks that fail',
    openings: 'Users',
    customEvent: 'Users with a custom event',
  },
  blockedState: {
    appDisabled: 'mini app disabled',
    appArchived: 'mini app archived',
    capabilityRemoved: 'capability removed',
    hostsRemoved: 'hosts removed',
    projectArchived: 'project archived',
    analyticsOff: 'analytics switched off',
    releaseWithdrawn: 'release withdrawn',
    releaseRejected: 'release rejected',
    canaryPaused: 'roll-out paused',
    accountDisabled: 'account disabled',
    providerAccountDisabled: 'provider account disabled',
    userDisabled: 'user disabled',
  },
  failures: { failedLaunches: 'failed launches', errors: 'JavaScript errors' },
}
