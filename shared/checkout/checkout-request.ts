import type { CartHolder } from '#shared/cart/cart.ts'
import type { PostalAddress } from '#shared/geo/address.ts'
import type { MetadataChange } from '#shared/platform/http/metadata.ts'
import type { Store } from '#shared/stores/store.ts'

/** What a checkout is asked to order: the fields of a buyer's request, or those of a subscription. */
export interface CheckoutRequest {
  email?: string
  firstname: string
  lastname: string
  telephone: string
  shippingAddress: PostalAddress
  billingAddress?: PostalAddress
  /** Undefined if nothing is shipped. */
  shippingMethodId?: string
  paymentMethod: string
  /** Replaces the coupon of the cart. */
  couponCode?: string
  voucherCode?: string
  note?: string
  /** Merged into the metadata of the cart. */
  metadata?: MetadataChange
  /** The storefront's own id of the visitor, and the code of the link that the visitor followed. */
  visitorId?: string
  trackingCode?: string
  /** The total that the buyer saw, in minor units. Undefined: any total is accepted. */
  expectedTotalMinor?: bigint
}

/** A request for a checkout, with its store and cart. Declined cards and unpaid orders are counted per `network`. */
export interface CheckoutCall {
  store: Store
  /** The language of the order's mails. */
  language: string
  network?: string
  holder: CartHolder
  request: CheckoutRequest
}
