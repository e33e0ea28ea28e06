/**
 * Who may do what in a project: the only table of rights. The server asks it before every operation, and the console's
 * pages hide by it what their user may not do.
 */
export const roles = ['owner', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

/** Everybody who belongs to the project. */
const all = { owner: true, editor: true, viewer: true } as const
/** Whoever works on the mini apps. */
const editors = { owner: true, editor: true, viewer: false } as const
/** Whoever answers for the project. */
const owners = { owner: true, editor: false, viewer: false } as const

/** Each thing that can be done in a project, and the roles that may. */
export const rights = {
  'project.read': all,
  /** Rename; members, their roles, invitations. */
  'project.manage': owners,
  'audit.read': owners,

  'app.read': all,
  'app.create': owners,
  /** Name, languages, icon, capabilities, merchant, enabled or not. */
  'app.manage': editors,
  /** Rotate the secret: the mini app's backend stops when it does not follow. */
  'app.secret': owners,

  'release.read': all,
  /** Upload, hand in for review, delete; choose who tests. */
  'release.upload': editors,
  /** Decide what users get. */
  'release.publish': owners,

  'trade.read': all,
  /** Give money back; compare a day with the providers once more. */
  'trade.refund': owners,
  'provider.read': editors,
  /** Accounts at payment providers, and which of them takes a payment. */
  'provider.manage': owners,
  'callback.read': all,
  'callback.replay': editors,
  'message.read': all,
  'message.send': editors,
  'request.read': all,

  'dataset.read': all,
  'dataset.create': editors,
  'dataset.append': editors,
  'dataset.delete': owners,

  /** Mock users, payments with a chosen outcome, callbacks made to fail. */
  'sandbox.use': editors,
} as const satisfies Record<string, Record<Role, boolean>>

export type Action = keyof typeof rights
export const actions = Object.keys(rights) as Action[]

/** Whether a role may do this. */
export function may(role: Role, action: Action): boolean {
  return rights[action][role]
}
