import type { PostalAddress } from '#shared/geo/address.ts'

/** What a buyer says at checkout (decisions, section 6). */
export interface CheckoutRequest {
  email?: string
  firstname: string
  lastname: string
  telephone: string
  shippingAddress: PostalAddress
  billingAddress?: PostalAddress
  /** Left out where nothing is shipped. */
  shippingMethodId?: string
  paymentMethod: string
  /** In the place of the cart's own. */
  couponCode?: string
  voucherCode?: string
  note?: string
  /** Minor units; left out: whatever it comes to. */
  expectedTotalMinor?: bigint
}
