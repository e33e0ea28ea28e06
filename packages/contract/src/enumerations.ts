import { type FieldType, fieldTypes } from './platform/datasets.ts'
import { type Role, roles } from './roles.ts'
import {
  type Currency,
  currencies,
  type FailReasonType,
  failReasonTypes,
  noFailReason,
  payMethod,
  payType,
  refundStatus,
  transactionFlow,
  transactionStatus,
} from './trade.ts'

/** A value of an enumeration. `name` is in camel case or a code of capitals, and becomes a constant of the clients. */
export interface EnumerationValue {
  readonly name: string
  readonly value: string | number
  readonly description: string
}

/** A field with named values. Servers may add values, which the clients keep as they are. */
export interface Enumeration {
  readonly description: string
  readonly values: readonly EnumerationValue[]
}

function valuesOf<Name extends string>(
  values: Readonly<Record<Name, string | number>>,
  descriptions: Readonly<Record<Name, string>>,
): EnumerationValue[] {
  return Object.entries<string>(descriptions).map(([name, description]) => ({
    name,
    value: values[name as Name],
    description,
  }))
}

/** Returns values that are their own names. */
const named = <Name extends string>(values: readonly Name[], descriptions: Readonly<Record<Name, string>>) =>
  valuesOf(Object.fromEntries(values.map((value) => [value, value])) as Record<Name, Name>, descriptions)

const failReasonNames: Readonly<Record<FailReasonType, string>> = {
  1: 'walletANotReady',
  2: 'walletAError',
  3: 'walletATokenNetworkError',
  4: 'walletATokenError',
  5: 'cardProcessorBError',
  6: 'cardProcessorBAuthenticationRejected',
  10: 'walletBError',
  11: 'walletBUnsupported',
  20: 'orderSucceeded',
  21: 'transactionExpired',
  22: 'transactionClosed',
  23: 'orderInPayment',
  24: 'checkoutFailed',
  25: 'checkoutPaymentFailed',
  26: 'cardProcessorAPaymentNotCreated',
  27: 'transactionFailed',
}

/**
 * The enumerations of the open API and the platform data API. A schema names its own as `x-enum`, also where it accepts
 * numbers that are not listed. The clients have a type or constants for each.
 */
export const enumerations: Readonly<Record<string, Enumeration>> = {
  TransactionStatus: {
    description: 'States of a trade (open-api §3.2). Only the first one changes',
    values: valuesOf(transactionStatus, {
      processing: 'The user has not paid yet',
      succeeded: 'The user has paid',
      failed: 'The payment was declined',
      expired: 'The user did not pay in time',
      canceled: 'The user canceled the payment',
      closed: 'The backend closed the trade',
    }),
  },
  FailReasonType: {
    description: 'Reasons why a payment failed (open-api §2.5)',
    values: [
      { name: 'none', value: noFailReason, description: 'The payment did not fail' },
      ...Object.entries(failReasonNames).map(([code, name]) => ({
        name,
        value: Number(code),
        description: failReasonTypes[Number(code) as FailReasonType],
      })),
    ],
  },
  PayType: {
    description: 'Kinds of payment providers (open-api §2.5)',
    values: valuesOf(payType, {
      hostedCheckout: 'A checkout page of the provider',
      cardProcessorA: 'Card processor A',
      cardProcessorB: 'Card processor B',
    }),
  },
  PayMethod: {
    description: 'How the user pays (open-api §2.5)',
    values: valuesOf(payMethod, { 'wallet-a': 'Mobile wallet A', 'wallet-b': 'Mobile wallet B', card: 'A card' }),
  },
  TransactionFlow: {
    description: 'Directions of money, seen from the user (open-api §2.5)',
    values: valuesOf(transactionFlow, { income: 'A refund', expense: 'A payment' }),
  },
  RefundStatus: {
    description: 'States of a refund',
    values: valuesOf(refundStatus, {
      processing: 'The provider has not answered yet',
      succeeded: 'The money was sent; it can still come back, after which the refund has failed',
      failed: 'The money was not refunded, or came back',
    }),
  },
  Currency: {
    description: 'Currencies, with ISO 4217 codes (open-api §2.5). All have 100 cents',
    values: named<Currency>(currencies, {
      CNY: 'Chinese yuan',
      USD: 'United States dollar',
      SGD: 'Singapore dollar',
      SAR: 'Saudi riyal',
    }),
  },
  NavigateType: {
    description: 'What a notification opens',
    values: valuesOf(
      { miniApp: '1', url: '2' },
      { miniApp: 'The mini app, at the page `link`', url: 'The address `url`' },
    ),
  },
  ActivityStatus: {
    description: 'Whether an activity message is shown',
    values: valuesOf(
      { removed: 0, displayed: 1 },
      { removed: 'Removes the message', displayed: 'Shows or replaces the message' },
    ),
  },
  ProjectRole: {
    description: 'Roles of members of a project',
    values: named<Role>(roles, {
      owner: 'May do everything in the project',
      editor: 'May change mini apps and upload releases',
      viewer: 'May read',
    }),
  },
  CredentialKind: {
    description: 'Kinds of credentials for the platform data API',
    values: named(['apiKey', 'token', 'adminToken', 'serviceAccount'], {
      apiKey: 'The API key of an account',
      token: 'A token of an account',
      adminToken: 'The admin token of the installation',
      serviceAccount: 'A token of a service account',
    }),
  },
  Environment: {
    description: 'Environments of an installation',
    values: named(['sandbox', 'live'], { sandbox: 'Users and payments are simulated', live: 'Payments move money' }),
  },
  FieldType: {
    description: 'Types of dataset fields',
    values: named<FieldType>(fieldTypes, {
      string: 'A text',
      integer: 'An integer within ±(2^53 − 1)',
      number: 'A number',
      boolean: 'True or false',
      time: 'A Unix time in milliseconds, UTC',
      json: 'Any JSON value, which filters cannot inspect',
    }),
  },
  DatasetKind: {
    description: 'Kinds of datasets',
    values: named(['builtIn', 'own'], { builtIn: 'A live view of platform data', own: 'Records appended by members' }),
  },
  ExportFormat: {
    description: 'Formats of an export',
    values: named(['ndjson', 'csv'], { ndjson: 'One JSON object per line', csv: 'RFC 4180 with a header line' }),
  },
  FormulaHandling: {
    description: 'What an export as CSV does with values that a spreadsheet would run as a formula',
    values: named(['escape', 'keep'], { escape: 'Puts an apostrophe before them', keep: 'Leaves them unchanged' }),
  },
}
