import { StoreModel } from '#shared/platform/db/model.ts'
import type { PaymentStatus } from './states.ts'

/** One attempt to be paid for an order. Its id is its idempotency key at the gateway. */
export class Payment extends StoreModel {
  static override tableName = 'payments'

  declare orderId: string
  /** `stripe`; `offline` for money that comes by itself; `sandbox` for play money. */
  declare provider: string
  declare status: PaymentStatus
  declare amountMinor: bigint
  declare currency: string
  /** The gateway's own name for it, e.g. `pi_…`. */
  declare gatewayReference: string | null
  /** What the buyer's browser confirms the payment with. */
  declare clientSecret: string | null
  declare failureReason: string | null
  declare expiresAt: Date | null
  declare capturedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}
