import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { foldCase } from '#shared/platform/text.ts'

/** Who uses a coupon. Whoever has the account, or an address that it was used with, is the same buyer. */
export interface Buyer {
  customerId: string | null
  /** That was given with the order; null: none yet, as with a cart. */
  email: string | null
}

/** What a buyer is known again by, so that coupons keep nobody's address. */
export const emailHash = (email: string): Buffer => sha256(foldCase(email))

/** The same of a customer's account, in SQL; null for a guest. `customerId` is an expression of type uuid. */
export const accountHashSql = (customerId: string): string => `
  (select sha256(convert_to(email_normalized, 'UTF8')) from customers
   where store_id = ${CURRENT_STORE} and id = ${customerId})`
