import { defineErrors } from '#shared/platform/errors.ts'
import { MAX_ADDRESSES } from './customer-address.ts'

/** The open business of a customer. Each entry has a number or id, and a status. */
export interface OpenBusiness {
  orders: { number: string; status: string }[]
  /** The orders with money that the buyer may have to get back. */
  unsettled: { number: string }[]
  /** The orders whose payment the buyer disputes at the bank, if the person is to be erased. */
  disputed: { number: string }[]
  /** The complete orders that nobody paid, if the person is to be erased. */
  unpaid: { number: string }[]
  returns: { number: string; status: string }[]
  subscriptions: { id: string; status: string }[]
  /** The affiliate accounts to which the store owes money. */
  affiliates: { code: string; balance: string }[]
}

// The description of the error has a placeholder instead.
const isOpen = (open: unknown): open is OpenBusiness => typeof open === 'object' && open !== null
const describe = (kind: string, items: OpenBusiness['orders']): string[] =>
  items.map(({ number, status }) => `${kind} ${number} (${status})`)

export const CustomerErrors = defineErrors({
  hasOpenBusiness: {
    code: 'customer.has_open_business',
    status: 409,
    message: ({ open }: { open: OpenBusiness }) =>
      `Complete or cancel this customer's open business first: ${
        isOpen(open)
          ? [
              ...describe('order', open.orders),
              ...open.unsettled.map(({ number }) => `order ${number} (money to return)`),
              ...open.disputed.map(({ number }) => `order ${number} (disputed at the bank)`),
              ...open.unpaid.map(({ number }) => `order ${number} (not paid)`),
              ...describe('return', open.returns),
              ...open.subscriptions.map(({ id, status }) => `subscription ${id} (${status})`),
              ...open.affiliates.map(({ code, balance }) => `affiliate ${code} (owed ${balance})`),
            ].join(', ')
          : ''
      }.`,
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
