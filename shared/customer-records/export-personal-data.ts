import { CommissionEntry } from '#shared/affiliates/commission-entry.ts'
import { findAffiliatesOfPerson } from '#shared/affiliates/find-affiliates-of-person.ts'
import { openPayoutDetails } from '#shared/affiliates/payout-details.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { listCustomerAddresses } from '#shared/customers/customer-address.ts'
import { IdentityLink } from '#shared/identity/identity-link.ts'
import { SecurityEvent } from '#shared/identity/security-event.ts'
import { listStoredSessions } from '#shared/identity/sessions/session.ts'
import { OrderNote } from '#shared/order-history/order-note.ts'
import { loadOrderViews } from '#shared/orders/load-order-view.ts'
import { Order } from '#shared/orders/order.ts'
import { Payment } from '#shared/payments/payment.ts'
import { listSavedCards } from '#shared/payments/saved-cards/saved-card.ts'
import { filterByTime } from '#shared/platform/db/list-query.ts'
import { readInPieces } from '#shared/platform/db/read-in-pieces.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { isOfPerson, questionsWithProducts } from '#shared/questions/question.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { loadReturnViews } from '#shared/returns/load-return-views.ts'
import { Return } from '#shared/returns/return.ts'
import { loadSubscriptionViews } from '#shared/subscriptions/load-subscription-views.ts'
import { Subscription } from '#shared/subscriptions/subscription.ts'
import { WishlistItem } from '#shared/wishlist/wishlist-item.ts'
import { findCartOf } from './exported-cart.ts'
import { identifyPerson } from './person.ts'
import { ownedVouchersOf } from './vouchers-of-person.ts'

export type PersonalDataExport = Awaited<ReturnType<typeof exportPersonalData>>

export interface ExportOptions {
  seesPayoutDetails: boolean
  /** Whether it contains what staff write for each other. */
  seesInternalNotes: boolean
  /**
   * Restricts the orders (with their notes, payments, refunds and returns), subscriptions, vouchers, questions,
   * security events and entries of affiliates' ledgers to those created at this time or later.
   */
  createdFrom?: string | undefined
  /** Restricts them to those created before this time. */
  createdTo?: string | undefined
}

/**
 * Reads all data that the store holds about a customer, at one point in time. One export holds about a thousand orders;
 * a customer with more gets several, each of some months. All records that grow without a limit can be exported by
 * period, because anyone can ask questions and order with another person's address. Throws `resource.not_found`.
 */
export async function exportPersonalData(
  tx: StoreTx,
  customerId: string,
  { seesPayoutDetails, seesInternalNotes, ...period }: ExportOptions,
) {
  const customer = await findCustomer(tx, customerId)
  const person = await identifyPerson(tx, customer)
  const account = { type: 'customer', id: customerId } as const
  const orders = await createdIn(period, Order.in(tx).whereRaw('id = any(?)', [person.orderIds])).orderBy(
    'created_at',
  )
  const orderIds = orders.map(({ id }) => id)
  return {
    exportedAt: now(),
    customer,
    seesInternalNotes,
    addresses: await listCustomerAddresses(tx, customerId),
    sessions: await listStoredSessions(tx, account),
    securityEvents: await readInPieces(createdIn(period, SecurityEvent.in(tx).where(ofAccount(customerId))), [
      'id',
    ]),
    identityLinks: await IdentityLink.in(tx).where(ofAccount(customerId)).orderBy('created_at'),
    cart: await findCartOf(tx, customerId),
    orders: await inPieces(orders, (piece) => loadOrderViews(tx, piece)),
    orderNotes: await findNotes(tx, orderIds, seesInternalNotes),
    payments: await readInPieces(Payment.in(tx).whereRaw('order_id = any(?)', [orderIds]), ['id']),
    savedCards: await listSavedCards(tx, customerId),
    refunds: await readInPieces(Refund.in(tx).whereRaw('order_id = any(?)', [orderIds]), ['id']),
    returns: await inPieces(
      await readInPieces(Return.in(tx).whereRaw('order_id = any(?)', [orderIds]), ['id']),
      (piece) => loadReturnViews(tx, piece),
    ),
    subscriptions: await inPieces(
      await readInPieces(createdIn(period, Subscription.in(tx).where('customer_id', customerId)), ['id']),
      (piece) => loadSubscriptionViews(tx, piece),
    ),
    vouchers: await readInPieces(createdIn(period, ownedVouchersOf(tx, person)), ['id']),
    questions: await readInPieces(createdIn(period, questionsWithProducts(tx).where(isOfPerson(person))), [
      'id',
    ]),
    affiliates: await findAffiliates(tx, customerId, { seesPayoutDetails, ...period }),
    wishlist: await WishlistItem.in(tx).where('customer_id', customerId).orderBy('created_at'),
  }
}

// The views of so many rows are made in some milliseconds. Then the process does other work.
const ROWS_PER_PIECE = 200

/** Loads the views of rows piece by piece. */
async function inPieces<Row, View>(
  rows: readonly Row[],
  load: (piece: Row[]) => Promise<View[]>,
): Promise<View[]> {
  const views: View[] = []
  for (let at = 0; at < rows.length; at += ROWS_PER_PIECE)
    views.push(...(await load(rows.slice(at, at + ROWS_PER_PIECE))))
  return views
}

type Period = Pick<ExportOptions, 'createdFrom' | 'createdTo'>

type ModelQuery = Parameters<typeof filterByTime>[0] & { modelClass(): { tableName: string } }

/** Narrows a query to the rows created in a period. */
function createdIn<Q extends ModelQuery>({ createdFrom, createdTo }: Period, query: Q): Q {
  filterByTime(query, `${query.modelClass().tableName}.created_at`, createdFrom, createdTo)
  return query
}

const findNotes = (tx: StoreTx, orderIds: readonly string[], seesInternalNotes: boolean) =>
  readInPieces(
    OrderNote.in(tx)
      .whereRaw('order_id = any(?)', [orderIds])
      .where(seesInternalNotes ? {} : { is_customer_visible: true }),
    ['id'],
  )

async function findAffiliates(
  tx: StoreTx,
  customerId: string,
  { seesPayoutDetails, ...period }: Period & Pick<ExportOptions, 'seesPayoutDetails'>,
) {
  const affiliates = await findAffiliatesOfPerson(tx, customerId)
  const ids = affiliates.map(({ id }) => id)
  const ledgers = createdIn(period, CommissionEntry.in(tx).whereIn('affiliate_id', ids))
  const entries = await readInPieces(ledgers, ['affiliateId', 'number'])
  return affiliates.map((affiliate) => ({
    affiliate,
    payout: seesPayoutDetails ? openPayoutDetails(affiliate) : undefined,
    entries: entries.filter(({ affiliateId }) => affiliateId === affiliate.id),
  }))
}

const ofAccount = (account_id: string) => ({ account_type: 'customer', account_id })
