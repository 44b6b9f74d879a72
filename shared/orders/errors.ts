import { CommonErrors, defineErrors, type OneOf, withAdvice } from '#shared/platform/errors.ts'

/** A line whose units are not all on hand. */
export interface MissingUnits {
  name: string
  sku: string
  /** The units to ship. */
  quantity: number
  /** The number of missing units. */
  short: number
}

export const describeMissing = ({ name, sku, quantity, short }: MissingUnits): string =>
  `${name} (${sku}): ${short} of ${quantity} missing.`

// The description of the error has a placeholder instead.
const isListOfMissing = (lines: unknown): lines is MissingUnits[] => Array.isArray(lines)

/** The reason for which an order cannot be paid, or the status and the payment method that exclude it. */
type NotPayable = OneOf<{ reason: 'paid' | 'too_old' | 'mismatched' }, { status: string; method: string }>

export const OrderErrors = defineErrors({
  lookedUpTooOften: withAdvice(
    CommonErrors.rateLimitExceeded,
    'Too many look-ups of this number failed. Try again after the seconds in Retry-After, or open the order by the ' +
      'link in its mails.',
  ),
  invalidTransition: {
    code: 'order.invalid_transition',
    status: 409,
    message: ({ from, to, isShipped }: { from: string; to: string; isShipped?: true }) =>
      isShipped
        ? `An order with shipped units cannot change from ${from} to ${to}. Record a return of these units, or ` +
          'delete a shipment that did not take place.'
        : `An order cannot change from ${from} to ${to}. Read it to see its status.`,
  },
  refundRequired: {
    code: 'order.refund_required',
    status: 409,
    message: 'This order was paid. Refund it instead of canceling it, so that the money goes back.',
  },
  stockShort: {
    code: 'order.stock_short',
    status: 409,
    message: ({ lines }: { lines: readonly MissingUnits[] }) =>
      [
        'Not all units of this order are on hand.',
        ...(isListOfMissing(lines) ? lines.map(describeMissing) : []),
        'Count the stock again, refund the missing units with restock, allow backorder of the variant, or repeat ' +
          'with override to ship them anyway.',
      ].join(' '),
  },
  addressFixed: {
    code: 'order.address_fixed',
    status: 409,
    message: ({ status, isShipped }: { status: string; isShipped: boolean }) =>
      isShipped
        ? 'Units of this order are shipped. Delete a shipment that did not take place, or ask the carrier to ' +
          'redirect it.'
        : `The shipping address of an order that is ${status} cannot change. Place a new order for another address.`,
  },
  addressInOtherZone: {
    code: 'order.address_in_other_zone',
    status: 409,
    message:
      'The new address is in another country or geo zone, where other tax or shipping costs can apply. Cancel or ' +
      'refund this order, and place it again for that address.',
  },
  historyLimitReached: {
    code: 'order.history_limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `The history of an order has at most ${limit} entries that can be added. Keep longer records elsewhere.`,
  },
  notPayable: {
    code: 'order.not_payable',
    status: 400,
    message: ({ status, method, reason }: NotPayable) => {
      if (reason === 'paid') return 'This order is already paid. Read the order again.'
      if (reason === 'too_old')
        return 'This order was not paid in time. Place it again at the prices of today.'
      if (reason === 'mismatched')
        return (
          'The gateway captured another amount or currency for this order than was requested. It can be paid once ' +
          'staff have accepted or returned that payment.'
        )
      return `This order cannot be paid: its status is ${status}, its payment method ${method}. Read the order again.`
    },
  },
})

export const ShipmentErrors = defineErrors({
  quantityExceeded: {
    code: 'shipment.quantity_exceeded',
    status: 422,
    message: ({ name, left }: { name: string; left: number }) =>
      `A shipment cannot exceed the units that are left. Of ${name}, ship at most ${left}.`,
  },
  nothingLeft: {
    code: 'shipment.nothing_left',
    status: 409,
    message: 'All units of this order are shipped or refunded. Set the order to complete instead.',
  },
  limitReached: {
    code: 'shipment.limit_reached',
    status: 409,
    message: ({ limit }: { limit: number }) =>
      `An order ships in at most ${limit} parts. Ship all units that are left together, or delete shipments that did ` +
      'not take place.',
  },
  notDeletable: {
    code: 'shipment.not_deletable',
    status: 409,
    message: ({ status, name }: OneOf<{ status: string }, { name: string }>) =>
      name
        ? `A return contains units of ${name}. Cancel the return before you delete the shipment.`
        : `A shipment can be deleted while its order is processing; this one is ${status}. Record a return instead.`,
  },
})

/** A line that cannot be ordered: too few units are available, or its recurring plan no longer sells it. */
export interface InsufficientLine {
  name: string
  sku: string
  quantity: number
  available: number
  /** The name of the plan that no longer sells the line. */
  endedPlan?: string | undefined
}

const describe = ({ name, sku, quantity, available, endedPlan }: InsufficientLine) =>
  endedPlan === undefined
    ? `${name} (${sku}): ${available} of ${quantity}.`
    : `${name} (${sku}) is no longer sold by the plan "${endedPlan}": remove it, and add it once or by another plan.`

/** A cart can have a hundred lines with long names, and the response is stored for repeats. */
const MAX_NAMED_LINES = 10

// The description of the error has a placeholder instead.
const isList = (lines: unknown): lines is InsufficientLine[] => Array.isArray(lines)

export const StockErrors = defineErrors({
  insufficientStock: {
    code: 'checkout.insufficient_stock',
    status: 409,
    message: ({ lines }: { lines?: readonly InsufficientLine[] }) => {
      const named = isList(lines) ? lines : []
      const isShort = named.length === 0 || named.some(({ endedPlan }) => endedPlan === undefined)
      const intro = isShort ? ['There is not enough stock left: order less.'] : []
      const others = named.length - MAX_NAMED_LINES
      const rest = others > 0 ? [`And ${others} more ${others === 1 ? 'line' : 'lines'}.`] : []
      return [...intro, ...named.slice(0, MAX_NAMED_LINES).map(describe), ...rest].join(' ')
    },
  },
})
