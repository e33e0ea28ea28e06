import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { DomainTime, Hex32, RealTime, Text } from '../schemas.ts'
import { console, ProjectId } from './surface.ts'

/** Search of the console. */
export const searchOperations = {
  search: operation({
    ...console,
    id: 'search',
    method: 'GET',
    path: '/console/v1/projects/{projectId}/search',
    summary: 'Find mini apps, trades, callbacks, requests and users by a part of a name or by an identifier',
    example: { text: 'order-1' },
    access: { action: 'project.read', by: 'projectId' },
    parameters: Type.Object({
      projectId: ProjectId,
      text: Text(64, {
        description:
          'A part of the name or appid of a mini app, the beginning of a tradeNo or outTradeNo, a notifyId, a request ID, or the beginning of the name of a user.',
      }),
    }),
    result: Type.Object(
      {
        apps: Type.Array(Type.Object({ appid: Type.String(), name: Type.String() })),
        trades: Type.Array(
          Type.Object({
            tradeNo: Hex32(),
            outTradeNo: Type.String(),
            transactionStatus: Type.Integer(),
            amount: Type.Integer({ description: 'cents' }),
            currency: Type.String(),
          }),
        ),
        callbacks: Type.Array(Type.Object({ notifyId: Hex32(), outTradeNo: Type.String(), ctime: DomainTime() })),
        requests: Type.Array(Type.Object({ requestId: Type.String(), operation: Type.String(), time: RealTime() })),
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
