/**
 * Project roles and their rights, the only such table. The server checks it before each operation; the console hides
 * what the user may not do.
 */
export const roles = ['owner', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

const all = { owner: true, editor: true, viewer: true } as const
const editors = { owner: true, editor: true, viewer: false } as const
const owners = { owner: true, editor: false, viewer: false } as const

/** Actions in a project and the roles that may do them. */
export const rights = {
  'project.read': all,
  /** Rename the project; manage members, roles and invitations. */
  'project.manage': owners,
  /** Archive, restore and delete the project. */
  'project.archive': owners,
  'audit.read': owners,

  'app.read': all,
  'app.create': owners,
  /** Change name, languages, icon, capabilities and merchant; enable or disable. */
  'app.manage': editors,
  /** Rotate the secret. The mini app's backend fails until it uses the new one. */
  'app.secret': owners,
  /** Watch the mini app on a phone whose user consents, and change its storage there. */
  'app.inspect': editors,
  /** Archive, restore and delete the mini app. */
  'app.archive': owners,

  'release.read': all,
  /** Upload, submit for review and delete releases; choose testers. */
  'release.upload': editors,
  /** Publish and roll back releases. */
  'release.publish': owners,

  'trade.read': all,
  /** Refund trades; repeat the reconciliation of a day. */
  'trade.refund': owners,
  'provider.read': editors,
  /** Manage provider accounts and routing. */
  'provider.manage': owners,
  'callback.read': all,
  'callback.replay': editors,
  'message.read': all,
  'message.send': editors,
  'request.read': all,

  'feedback.read': all,
  /** Answer, close and reopen feedback of users. */
  'feedback.answer': editors,

  'dataset.read': all,
  'dataset.create': editors,
  'dataset.append': editors,
  'dataset.delete': owners,

  /** Use mock users, chosen payment outcomes and injected callback faults. */
  'sandbox.use': editors,
} as const satisfies Record<string, Record<Role, boolean>>

export type Action = keyof typeof rights
export const actions = Object.keys(rights) as Action[]

/** Returns whether a role may do an action. */
export function may(role: Role, action: Action): boolean {
  return rights[action][role]
}
