import { sha256 } from '../platform/crypto.ts'
import { foldCase } from '../platform/fold-case.ts'

/** Who uses a coupon. Whoever has either the account or the address is the same buyer. */
export interface Buyer {
  customerId: string | null
  /** Null: not known yet, as with a guest's cart. */
  email: string | null
}

/** What a buyer is known again by, so that coupons keep nobody's address. */
export const emailHash = (email: string): Buffer => sha256(foldCase(email))
