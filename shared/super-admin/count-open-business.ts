import { Affiliate } from '#shared/affiliates/affiliate.ts'
import { Dispute } from '#shared/disputes/dispute.ts'
import { OPEN_DISPUTE_STATUSES } from '#shared/disputes/states.ts'
import { Order } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Return } from '#shared/returns/return.ts'
import { OPEN_RETURN_STATUSES } from '#shared/returns/states.ts'
import type { StoreBusiness } from '#shared/stores/store-business.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'

/** Counts the records of a store with which people would lose money if the store were purged. */
export async function countOpenBusiness(tx: StoreTx): Promise<StoreBusiness> {
  return {
    orders: await paidUnshipped(tx).resultSize(),
    disputes: await Dispute.in(tx)
      .whereIn('status', [...OPEN_DISPUTE_STATUSES])
      .resultSize(),
    returns: await Return.in(tx).whereIn('status', OPEN_RETURN_STATUSES).resultSize(),
    vouchers: await spendable(tx).resultSize(),
    affiliates: await Affiliate.in(tx).where('balance_minor', '>', 0).resultSize(),
  }
}

// An order is `processing` until its last units are shipped.
const paidUnshipped = (tx: StoreTx) =>
  Order.in(tx).where('status', 'processing').whereRaw('amount_captured_minor > amount_refunded_minor')

// A bought voucher awaits payment for ever if its order was not paid.
const spendable = (tx: StoreTx) =>
  Voucher.in(tx)
    .where('awaits_payment', false)
    .whereRaw('amount_minor > spent_minor')
    .where((valid) => valid.whereNull('expires_at').orWhere('expires_at', '>', now()))
