import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Hex32, Nullable, RealTime, Text } from '../schemas.ts'
import { blockStates } from '../states.ts'
import { console, Flag, Listed, maxListed, Page, ProjectId, paging } from './surface.ts'

/** Parameter of operations that block something when an administrator calls them. */
export const BlockReason = Type.Optional(
  Text(500, { description: 'Reason of an administrator, which the owners and the audit log show.' }),
)

const By = (description: string) => Type.String({ description: `${description}: name of the account, or admin.` })

/** A state that an administrator has set, and that only administrators lift. Times are ms of real time. */
export const Block = Type.Object({
  blockId: Hex32(),
  state: Type.Enum([...blockStates]),
  subject: Type.String({
    description: 'Id of what is blocked. A removed capability or list of hosts has its name after the appid.',
  }),
  name: Type.String({ description: 'Name of what is blocked; the version of a release.' }),
  appid: Nullable(Type.String()),
  appName: Nullable(Type.String()),
  projectId: Nullable(ProjectId),
  projectName: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  blockedBy: By('Who blocked it'),
  ctime: RealTime(),
  appeal: Nullable(Type.String({ description: 'Explanation of an owner.' })),
  appealedBy: Nullable(Type.String()),
  appealTime: Nullable(RealTime()),
  answer: Nullable(Type.String({ description: 'Answer of an administrator.' })),
  answeredBy: Nullable(By('Who lifted it, or answered the appeal')),
  answerTime: Nullable(RealTime()),
  liftedTime: Nullable(RealTime('Null while it is in force.')),
})

const ofBlock = { blockId: Hex32({ description: 'The block.' }) }

/** What administrators have blocked, and the appeals of owners. */
export const blockOperations = {
  listBlocks: operation({
    ...console,
    id: 'listBlocks',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/blocks',
    summary: `List what administrators block in a project, newest first, at most ${maxListed}`,
    access: { action: 'project.read', by: 'projectId' },
    parameters: Type.Object({ projectId: ProjectId }),
    result: Listed(Block),
    errors: [],
    redact: [],
  }),
  listAllBlocks: operation({
    ...console,
    id: 'listAllBlocks',
    method: 'GET',
    path: '/console/v1/blocks',
    summary: 'List what administrators block or have blocked, newest first',
    access: 'administrator',
    parameters: Type.Object({
      state: Type.Optional(Type.Enum([...blockStates], { 'x-allowed': `must be one of ${blockStates.join(', ')}` })),
      subject: Type.Optional(Text(64, { description: 'Id of what is blocked.' })),
      lifted: Type.Optional(Flag('Only those that are lifted, or in force.')),
      ...paging,
    }),
    result: Page(Block),
    errors: [],
    redact: [],
  }),
  appealBlock: operation({
    ...console,
    id: 'appealBlock',
    method: 'POST',
    path: '/console/v1/blocks/{blockId}/appeal',
    summary: 'Send an explanation to the administrators, once per block',
    access: { action: 'project.archive', by: 'blockId' },
    body: ['json'],
    parameters: Type.Object({ ...ofBlock, text: Text(2000, { description: 'Why it should be lifted.' }) }),
    example: { text: 'The price was wrong for an hour; it is corrected.' },
    result: Block,
    errors: ['block_lifted', 'appeal_exists', 'appeal_unavailable'],
    redact: [],
  }),
  liftBlock: operation({
    ...console,
    id: 'liftBlock',
    method: 'POST',
    path: '/console/v1/blocks/{blockId}/lift',
    summary: 'Lift a block: what it has stopped works again, except what its owners had stopped before',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({
      ...ofBlock,
      answer: Type.Optional(Text(500, { description: 'Answer to the owners.' })),
    }),
    example: { answer: 'Thank you, the price is right now.' },
    result: Block,
    errors: ['block_not_found', 'block_lifted', 'project_archived'],
    redact: [],
  }),
  keepBlock: operation({
    ...console,
    id: 'keepBlock',
    method: 'POST',
    path: '/console/v1/blocks/{blockId}/keep',
    summary: 'Reject an appeal; the block stays in force',
    access: 'administrator',
    body: ['json'],
    parameters: Type.Object({ ...ofBlock, answer: Text(500, { description: 'Answer to the owners.' }) }),
    example: { answer: 'The price is still wrong.' },
    result: Block,
    errors: ['block_not_found', 'block_lifted', 'appeal_missing'],
    redact: [],
  }),
}
