import { Affiliate } from '#shared/affiliates/affiliate.ts'
import { Customer } from '#shared/customers/customer.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { Dispute } from '#shared/disputes/dispute.ts'
import { OPEN_DISPUTE_STATUSES } from '#shared/disputes/states.ts'
import { findOrderIdsOfPerson } from '#shared/orders/buyers/find-order-ids-of-person.ts'
import { Order } from '#shared/orders/order.ts'
import { OPEN_ORDER_STATUSES } from '#shared/orders/states.ts'
import { CardSetup } from '#shared/payments/card-setup.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { owesBuyer } from '#shared/refunds/has-unsettled-money.ts'
import { Return } from '#shared/returns/return.ts'
import { OPEN_RETURN_STATUSES } from '#shared/returns/states.ts'
import { readStore } from '#shared/stores/store.ts'
import { LIVE_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'

const MAX_NAMED = 10

/**
 * Locks a customer without open business, as `assertNoOpenBusiness` defines it. Nobody can place an order for the
 * customer until the transaction ends, because the foreign key of an order waits for this lock. Throws
 * `resource.not_found` and `customer.has_open_business`.
 */
export async function lockCustomerWithoutOpenBusiness(tx: StoreTx, customerId: string): Promise<Customer> {
  const customer = await Customer.in(tx).findById(customerId).forUpdate()
  if (!customer) throw CommonErrors.notFound()
  const orderIds = await findOrderIdsOfPerson(tx, { customerId, emails: [] })
  await assertNoOpenBusiness(tx, { customerId, orderIds })
  return customer
}

interface Scope {
  customerId: string
  orderIds: string[]
  /** Whether the personal data of the orders is to be erased. */
  erases?: boolean
}

/**
 * Throws `customer.has_open_business` for live subscriptions, unpaid commissions, open orders of `orderIds`, those with
 * money that the buyer may have to get back, and their open returns. Open disputes and unpaid orders that were sent
 * count if the customer's data is to be erased.
 */
export async function assertNoOpenBusiness(
  tx: StoreTx,
  { customerId, orderIds, erases = false }: Scope,
): Promise<void> {
  const subscriptions = await Subscription.in(tx)
    .where('customer_id', customerId)
    .whereIn('status', LIVE_SUBSCRIPTION_STATUSES)
    .select('id', 'status')
    .limit(MAX_NAMED)
  const orders = await Order.in(tx)
    .whereRaw('id = any(?)', [orderIds])
    .where((open) => open.whereIn('status', OPEN_ORDER_STATUSES).orWhere((late) => mayBePaidLate(tx, late)))
    .select('number', 'status')
    .limit(MAX_NAMED)
  const unsettled = await Order.in(tx)
    .whereRaw('id = any(?)', [orderIds])
    .where(owesBuyer(tx))
    .select('number')
    .limit(MAX_NAMED)
  const returns = await Return.in(tx)
    .whereRaw('order_id = any(?)', [orderIds])
    .whereIn('status', OPEN_RETURN_STATUSES)
    .select('number', 'status')
    .limit(MAX_NAMED)
  const affiliates = await findOwed(tx, customerId)
  const disputed = erases ? await findDisputed(tx, orderIds) : []
  const unpaid = erases ? await findUnpaid(tx, orderIds) : []
  const open = { orders, unsettled, disputed, unpaid, returns, subscriptions, affiliates }
  if (Object.values(open).some(({ length }) => length > 0)) throw CustomerErrors.hasOpenBusiness({ open })
}

/**
 * Selects failed orders that have not expired. The buyer can still pay them at the gateway, and then they would be
 * fulfilled.
 */
function mayBePaidLate(tx: StoreTx, orders: QueryBuilderType<Order>) {
  const paid = Payment.in(tx).whereNotNull('gateway_reference').whereNull('closed_at_gateway')
  const confirmed = CardSetup.in(tx).whereNotNull('gateway_reference').whereNull('closed_at_gateway')
  return orders
    .where('status', 'failed')
    .where((either) =>
      either
        .whereIn('id', paid.select('order_id'))
        .orWhereIn('id', confirmed.whereNotNull('order_id').select('order_id')),
    )
}

/** Finds disputed orders. Their names, addresses and shipments are the store's evidence until the bank has decided. */
const findDisputed = (tx: StoreTx, orderIds: string[]): PromiseLike<Pick<Order, 'number'>[]> =>
  Order.in(tx)
    .whereRaw('id = any(?)', [orderIds])
    .whereIn('id', Dispute.in(tx).whereIn('status', OPEN_DISPUTE_STATUSES).select('order_id'))
    .select('number')
    .limit(MAX_NAMED)

/** Finds complete orders that nobody paid. The store collects the money from the person at this address. */
const findUnpaid = (tx: StoreTx, orderIds: string[]): PromiseLike<Pick<Order, 'number'>[]> =>
  Order.in(tx)
    .whereRaw('id = any(?)', [orderIds])
    .where({ status: 'complete', amount_captured_minor: 0 })
    .where('total_minor', '>', 0)
    .select('number')
    .limit(MAX_NAMED)

/** Finds unpaid commissions. A negative balance does not count, because nobody could ever clear it. */
async function findOwed(tx: StoreTx, customerId: string) {
  const owed = await Affiliate.in(tx).where('customer_id', customerId).where('balance_minor', '>', 0)
  if (owed.length === 0) return []
  const { currency } = await readStore(tx)
  return owed.map(({ code, balanceMinor }) => ({ code, balance: formatMinor(balanceMinor, currency) }))
}
