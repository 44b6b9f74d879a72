import { defineErrors } from '#shared/platform/errors.ts'

export const ReturnErrors = defineErrors({
  quantityExceeded: {
    code: 'return.quantity_exceeded',
    status: 422,
    message: ({ name, left }: { name: string; left: number }) =>
      `Too many units. Of ${name}, return at most ${left}.`,
  },
  orderNotShipped: {
    code: 'return.order_not_shipped',
    status: 409,
    message: ({ status }: { status: string }) =>
      `Only shipped goods can be returned: this order is ${status}. Cancel or refund it instead.`,
  },
  limitReached: {
    code: 'return.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `An order has at most ${limit} returns by its buyer. Ask the store for another one.`,
  },
  invalidTransition: {
    code: 'return.invalid_transition',
    status: 409,
    message: ({ from, to }: { from: string; to: string }) =>
      `A return that is ${from} cannot become ${to}. Read it to see its status.`,
  },
  notEditable: {
    code: 'return.not_editable',
    status: 409,
    message: ({ what }: { what: 'the items' | 'the action' }) =>
      `It is too late to change ${what} of the return. Read it to see its status.`,
  },
  inUse: {
    code: 'return.in_use',
    status: 409,
    message: ({ status }: { status: string }) =>
      `A return that is ${status} cannot be deleted. Only a requested, rejected or canceled return can.`,
  },
  notReceived: {
    code: 'return.not_received',
    status: 409,
    message: ({ status }: { status: string }) => `This return is ${status}. Receive its goods first.`,
  },
  otherAction: {
    code: 'return.other_action',
    status: 409,
    message: ({ action }: { action: string }) =>
      `The action of this return is ${action}. Change its action first.`,
  },
  alreadyRefunded: {
    code: 'return.already_refunded',
    status: 409,
    message: 'The goods of this return were refunded before. See the refunds of its order.',
  },
  alreadyReplaced: {
    code: 'return.already_replaced',
    status: 409,
    message: 'The goods of this return were replaced before. See its replacement order.',
  },
  notReplaceable: {
    code: 'return.not_replaceable',
    status: 409,
    message: ({ name }: { name?: string | undefined }) =>
      `${name ?? 'One of the goods'} cannot be replaced. Give this return another action.`,
  },
  nothingToRestock: {
    code: 'return.nothing_to_restock',
    status: 409,
    message: 'This return has no units to restock. See the dispositions of its items.',
  },
})
