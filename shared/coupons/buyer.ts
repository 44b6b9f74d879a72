/** Who uses a coupon. Whoever has the account, or an address that it was used with, is the same buyer. */
export interface Buyer {
  customerId: string | null
  /** That was given with the order; null: none yet, as with a cart. */
  email: string | null
}
