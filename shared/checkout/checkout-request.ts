import type { PostalAddress } from '../geo/address.ts'

/** What a buyer says at checkout (decisions, section 6). Amounts in major units. */
export interface CheckoutRequest {
  email?: string
  firstname: string
  lastname: string
  telephone: string
  shipping_address: PostalAddress
  billing_address?: PostalAddress
  /** Left out where nothing is shipped. */
  shipping_method_id?: string
  payment_method: string
  /** In the place of the cart's own. */
  coupon_code?: string
  voucher_code?: string
  note?: string
  expected_total?: number
}
