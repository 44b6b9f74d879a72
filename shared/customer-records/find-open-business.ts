import { Affiliate } from '#shared/affiliates/affiliate.ts'
import type { OpenBusiness, OpenItems } from '#shared/customers/errors.ts'
import { Dispute } from '#shared/disputes/dispute.ts'
import { OPEN_DISPUTE_STATUSES } from '#shared/disputes/states.ts'
import { Order } from '#shared/orders/order.ts'
import { OPEN_ORDER_STATUSES } from '#shared/orders/states.ts'
import { CardSetup } from '#shared/payments/card-setup.ts'
import { Payment } from '#shared/payments/payment.ts'
import type { QueryBuilderType } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { formatMinor } from '#shared/platform/money.ts'
import { owesBuyer } from '#shared/refunds/has-unsettled-money.ts'
import { Return } from '#shared/returns/return.ts'
import { OPEN_RETURN_STATUSES } from '#shared/returns/states.ts'
import { readStore } from '#shared/stores/store.ts'
import { LIVE_SUBSCRIPTION_STATUSES } from '#shared/subscriptions/states.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'

const MAX_NAMED = 10

/**
 * The open business that an error may name. Other business is only counted, because whoever knows the number of a
 * guest's order can look it up.
 */
export interface Visibility {
  /** Orders, returns and subscriptions. `own`: those of the account, without orders of guests with its address. */
  sales: 'all' | 'own' | 'none'
  /** The code and the balance of an affiliate. */
  affiliates: boolean
}

/** The open business that a customer may read. */
export const OWN_BUSINESS: Visibility = { sales: 'own', affiliates: true }

export interface BusinessScope {
  customerId: string
  orderIds: string[]
  /** Whether the personal data of the orders is to be erased. */
  erases?: boolean
}

/**
 * Finds the live subscriptions and the unpaid commissions of a customer. Of `orderIds`, finds the open orders, those
 * that may owe the buyer money, and the open returns. If the customer's data is to be erased, also finds open disputes
 * and unpaid orders that were sent.
 */
export async function findOpenBusiness(
  tx: StoreTx,
  { customerId, orderIds, erases = false }: BusinessScope,
  { sales, affiliates }: Visibility,
): Promise<OpenBusiness> {
  const ofPerson = () => Order.in(tx).whereRaw('id = any(?)', [orderIds])
  return {
    orders: await findOpen(selectOpen(tx, ofPerson()), sales),
    unsettled: await findOpen(ofPerson().where(owesBuyer(tx)), sales),
    disputed: erases ? await findOpen(selectDisputed(tx, ofPerson()), sales) : NOTHING,
    unpaid: erases ? await findOpen(selectUnpaid(ofPerson()), sales) : NOTHING,
    returns: await findOpen(
      Return.in(tx).whereRaw('order_id = any(?)', [orderIds]).whereIn('status', OPEN_RETURN_STATUSES),
      sales,
    ),
    subscriptions: await findOpen(
      Subscription.in(tx).where('customer_id', customerId).whereIn('status', LIVE_SUBSCRIPTION_STATUSES),
      sales,
    ),
    affiliates: await findOwed(tx, customerId, affiliates),
  }
}

const NOTHING = { named: [], others: 0 }

interface OpenQuery<Row> {
  clone(): OpenQuery<Row>
  whereNull(column: string): OpenQuery<Row>
  whereNotNull(column: string): OpenQuery<Row>
  limit(rows: number): PromiseLike<Row[]>
  resultSize(): PromiseLike<number>
}

/** Reads the first records that the caller may read, and counts the others. */
async function findOpen<Row>(open: OpenQuery<Row>, sales: Visibility['sales']): Promise<OpenItems<Row>> {
  if (sales === 'all') return { named: await open.limit(MAX_NAMED), others: 0 }
  if (sales === 'none') return { named: [], others: await open.resultSize() }
  return {
    named: await open.clone().whereNotNull('customer_id').limit(MAX_NAMED),
    others: await open.clone().whereNull('customer_id').resultSize(),
  }
}

const selectOpen = (tx: StoreTx, orders: QueryBuilderType<Order>) =>
  orders.where((open) =>
    open.whereIn('status', OPEN_ORDER_STATUSES).orWhere((failed) => selectPayableLate(tx, failed)),
  )

/**
 * Selects failed orders that have not expired. The buyer can still pay them at the gateway, and then they would be
 * fulfilled.
 */
function selectPayableLate(tx: StoreTx, orders: QueryBuilderType<Order>) {
  const openPayments = Payment.in(tx).whereNotNull('gateway_reference').whereNull('closed_at_gateway')
  const openSetups = CardSetup.in(tx).whereNotNull('gateway_reference').whereNull('closed_at_gateway')
  return orders
    .where('status', 'failed')
    .where((either) =>
      either
        .whereIn('id', openPayments.select('order_id'))
        .orWhereIn('id', openSetups.whereNotNull('order_id').select('order_id')),
    )
}

/** Selects disputed orders. Their names, addresses and shipments are the store's evidence until the bank decides. */
const selectDisputed = (tx: StoreTx, orders: QueryBuilderType<Order>) =>
  orders.whereIn('id', Dispute.in(tx).whereIn('status', OPEN_DISPUTE_STATUSES).select('order_id'))

/** Selects complete orders that nobody paid. The store collects the money from the person at this address. */
const selectUnpaid = (orders: QueryBuilderType<Order>) =>
  orders.where({ status: 'complete', amount_captured_minor: 0 }).where('total_minor', '>', 0)

/** Finds unpaid commissions. A negative balance does not count, because nobody could ever clear it. */
async function findOwed(
  tx: StoreTx,
  customerId: string,
  isVisible: boolean,
): Promise<OpenBusiness['affiliates']> {
  const owed = await Affiliate.in(tx).where('customer_id', customerId).where('balance_minor', '>', 0)
  if (!isVisible || owed.length === 0) return { named: [], others: owed.length }
  const { currency } = await readStore(tx)
  const named = owed.map(({ code, balanceMinor }) => ({
    code,
    balance: formatMinor(balanceMinor, currency),
  }))
  return { named, others: 0 }
}
