import type { LineUnits } from '#shared/orders/order-item.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import type { RefundMeans } from './refund-source.ts'

export interface RefundOptions {
  /**
   * How the buyer is paid. Default: by the payment gateway, which refuses refunds during a dispute. Other means settle
   * immediately: `requestRefund` checks disputes for a payment outside the gateway, the caller for a credit.
   */
  means?: RefundMeans | undefined
  /** Refund spent vouchers and replaced units too. An override needs a reason. */
  override?: boolean | undefined
  restock?: Refund['restock'] | undefined
  reason?: Refund['reason'] | undefined
  isReturn?: Refund['isReturn'] | undefined
}

/** A refund of an amount, or of units of lines and shipping. Amounts are in minor units. */
export type RefundRequest = RefundOptions &
  (
    | { amountMinor: bigint }
    | {
        items?: LineUnits[] | undefined
        shippingAmountMinor?: bigint | undefined
        /** The store keeps this part of the price of the units. */
        feeMinor?: bigint | undefined
      }
  )
