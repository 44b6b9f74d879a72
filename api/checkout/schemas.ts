import { Type } from 'typebox'
import { CouponCode } from '#api/coupons/schemas.ts'
import { AddressRequest } from '#api/customers/schemas.ts'
import { LinkCode, VisitorId } from '#api/visits/schemas.ts'
import { OrderView } from '#shared/orders/view.ts'
import { BuyerPaymentView } from '#shared/payments/view.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import { Email, Line, Money, Name, Nullable, Shape, Telephone, Uuid } from '#shared/platform/http/schema.ts'
import { WebUrl } from '#shared/platform/http/web-url.ts'

export const PlaceOrderRequest = Shape({
  email: Type.Optional(Email),
  firstname: Name(100),
  lastname: Name(100),
  telephone: Telephone,
  shipping_address: AddressRequest,
  billing_address: Type.Optional(AddressRequest),
  shipping_method_id: Type.Optional(
    Type.String({ ...Uuid, description: 'Required unless the cart contains only gift vouchers' }),
  ),
  payment_method: Type.String({
    ...Line(40),
    description: 'One of GET /settings/payment-methods, or `voucher` when the voucher covers the whole order',
  }),
  coupon_code: Type.Optional({ ...CouponCode, description: 'Replaces the coupon of the cart' }),
  voucher_code: Type.Optional(
    Type.String({ ...Line(100), description: 'The code of a gift voucher, which pays up to its balance' }),
  ),
  visitor_id: Type.Optional({ ...VisitorId, description: 'As in POST /marketing/track' }),
  tracking_code: Type.Optional({
    ...LinkCode,
    description:
      'The code of the link that the buyer followed. It counts only for a visitor without a recorded click',
  }),
  note: Type.Optional(Type.String({ maxLength: 2_000 })),
  metadata: Type.Optional({
    ...MetadataChange,
    description: `For the order, merged into the metadata of the cart`,
  }),
  expected_total: Type.Optional(
    Type.Number({ ...Money, description: 'The total with the rounding for the payment method' }),
  ),
  return_url: Type.Optional(
    Type.String({
      ...WebUrl,
      description: 'The page to return to after a redirect. Card payments are confirmed in the browser.',
    }),
  ),
})

export const PlacedOrderView = Shape({
  ...OrderView.properties,
  access_token: Type.Optional(
    Type.String({ description: 'Lets a guest read, pay and cancel the order. Shown once.' }),
  ),
})

export const CheckoutView = Shape({ order: PlacedOrderView, payment: Nullable(BuyerPaymentView) })
