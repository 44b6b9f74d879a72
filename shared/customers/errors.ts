import { defineErrors } from '#shared/platform/errors.ts'
import { MAX_ADDRESSES } from './customer-address.ts'

/** Open business of a kind, as far as the caller may read it. */
export interface OpenItems<T> {
  named: T[]
  /** The number of the items that the caller may not read. */
  others: number
}

/** The open business of a customer. Each named entry has a number or id, and a status. */
export interface OpenBusiness {
  orders: OpenItems<{ number: string; status: string }>
  /** The orders with money that the buyer may have to get back. */
  unsettled: OpenItems<{ number: string }>
  /** The orders whose payment the buyer disputes at the bank, if the person is to be erased. */
  disputed: OpenItems<{ number: string }>
  /** The complete orders that nobody paid, if the person is to be erased. */
  unpaid: OpenItems<{ number: string }>
  returns: OpenItems<{ number: string; status: string }>
  subscriptions: OpenItems<{ id: string; status: string }>
  /** The affiliate accounts to which the store owes money. */
  affiliates: OpenItems<{ code: string; balance: string }>
}

/** Returns e.g. `order A1 (not paid)` for each named item, and `2 orders (not paid)` for the others. */
function describe<T>(
  kind: string,
  { named, others }: OpenItems<T>,
  { name, note }: { name: (item: T) => string; note?: string },
): string[] {
  const suffix = note ? ` (${note})` : ''
  const counted = others > 0 ? [`${others} ${others === 1 ? kind : `${kind}s`}${suffix}`] : []
  return [...named.map((item) => `${kind} ${name(item)}${suffix}`), ...counted]
}

const numberOf = ({ number }: { number: string }): string => number
const withStatus = ({ number, status }: { number: string; status: string }): string => `${number} (${status})`

/** Returns a list of open business. The description of the error has a placeholder instead of it. */
function describeBusiness(open: OpenBusiness): string {
  if (typeof open !== 'object') return ''
  return [
    ...describe('order', open.orders, { name: withStatus }),
    ...describe('order', open.unsettled, { name: numberOf, note: 'money to return' }),
    ...describe('order', open.disputed, { name: numberOf, note: 'disputed at the bank' }),
    ...describe('order', open.unpaid, { name: numberOf, note: 'not paid' }),
    ...describe('return', open.returns, { name: withStatus }),
    ...describe('subscription', open.subscriptions, { name: ({ id, status }) => `${id} (${status})` }),
    ...describe('affiliate', open.affiliates, { name: ({ code, balance }) => `${code} (owed ${balance})` }),
  ].join(', ')
}

export const CustomerErrors = defineErrors({
  hasOpenBusiness: {
    code: 'customer.has_open_business',
    status: 409,
    message: ({ open }: { open: OpenBusiness }) =>
      `Complete or cancel this customer's open business first: ${describeBusiness(open)}.`,
  },
  anonymized: {
    code: 'customer.anonymized',
    status: 409,
    message: 'This customer was anonymized, which is final. Create another customer.',
  },
})

export const CustomerGroupErrors = defineErrors({
  inUse: {
    code: 'customer_group.in_use',
    status: 409,
    message:
      'Customers or price rules use this group. Name a group for its customers with `move_to`, and remove this one ' +
      'from price rules.',
  },
  tooLarge: {
    code: 'customer_group.too_large',
    status: 409,
    message: ({ customers, max }: { customers: number; max: number }) =>
      `The group has ${customers} customers, and a deletion moves at most ${max}. Move some before, by an import of ` +
      'customers with the column customer_group_id.',
  },
  isDefault: {
    code: 'customer_group.is_default',
    status: 409,
    message: 'New customers join the default group. Make another group the default first.',
  },
})

export const AddressErrors = defineErrors({
  limitReached: {
    code: 'address.limit_reached',
    status: 422,
    message: `An address book takes at most ${MAX_ADDRESSES} addresses. Delete one first.`,
  },
})
