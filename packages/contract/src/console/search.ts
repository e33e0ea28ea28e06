import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { DomainTime, Hex32, RealTime, Text } from '../schemas.ts'
import { console } from './surface.ts'

/** The project that a result belongs to. */
const InProject = { projectId: Hex32(), projectName: Type.String() }

/** Search of the console. */
export const searchOperations = {
  search: operation({
    ...console,
    id: 'search',
    method: 'GET',
    path: '/console/v1/search',
    summary:
      'Find projects, mini apps, trades, callbacks, requests and users by a part of a name or by an identifier, in all projects of the caller',
    access: 'signedIn',
    programs: 'project.read',
    parameters: Type.Object({
      text: Text(64, {
        description:
          'A part of the name of a project, or of the name or appid of a mini app, the beginning of a tradeNo or outTradeNo, a part of them or of a description among the newest trades, a notifyId, a request ID, or the beginning of the name of a user.',
      }),
      projectId: Type.Optional(Hex32({ description: 'The project whose results come first.' })),
    }),
    example: { text: 'order-1' },
    result: Type.Object(
      {
        projects: Type.Array(Type.Object(InProject)),
        apps: Type.Array(Type.Object({ ...InProject, appid: Type.String(), name: Type.String() })),
        trades: Type.Array(
          Type.Object({
            ...InProject,
            tradeNo: Hex32(),
            outTradeNo: Type.String(),
            transactionStatus: Type.Integer(),
            amount: Type.Integer({ description: 'cents' }),
            currency: Type.String(),
          }),
        ),
        callbacks: Type.Array(
          Type.Object({ ...InProject, notifyId: Hex32(), outTradeNo: Type.String(), ctime: DomainTime() }),
        ),
        requests: Type.Array(
          Type.Object({
            ...InProject,
            requestId: Type.String(),
            operation: Type.String(),
            time: RealTime(),
          }),
        ),
        users: Type.Array(Type.Object({ uid: Type.Integer(), nickName: Type.String() }), {
          description: 'For administrators only.',
        }),
      },
      { description: 'At most 5 of each kind; none of a kind that the caller may not read.' },
    ),
    errors: [],
    redact: ['text'],
  }),
}
