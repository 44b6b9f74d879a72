import { Type } from 'typebox'
import { CouponCode } from '#api/coupons/schemas.ts'
import { placeQuery, withinCountry } from '#api/geo/place-query.ts'
import { Country } from '#api/geo/schemas.ts'
import { VoucherAmount } from '#api/vouchers/schemas.ts'
import { MAX_UNITS } from '#shared/cart/limits.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import { Email, Name, Nullable, Shape, Uuid } from '#shared/platform/http/schema.ts'

const Quantity = Type.Integer({ minimum: 1, maximum: MAX_UNITS })

const PersonName = Name(200)

export const CartVoucherRequest = Shape(
  {
    amount: VoucherAmount,
    to_name: PersonName,
    to_email: Email,
    from_name: PersonName,
    from_email: Email,
    voucher_theme_id: Type.Optional(Nullable(Uuid)),
    message: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { description: 'A gift voucher to buy, as a separate line' },
)

export const AddCartItemRequest = Shape(
  {
    variant_id: Type.Optional(Uuid),
    product_id: Type.Optional(Uuid),
    quantity: Type.Optional(
      Type.Integer({ ...Quantity, description: 'Required for goods. The quantity of a voucher is 1' }),
    ),
    recurring_plan_id: Type.Optional({
      ...Nullable(Uuid),
      description: 'One of `recurring_plans` of the product. Null: bought once',
    }),
    voucher: Type.Optional(CartVoucherRequest),
  },
  {
    description:
      'One of `variant_id`, `product_id` (its first variant) and `voucher` (a gift voucher to buy)',
  },
)

export const ApplyCouponRequest = Shape({ code: CouponCode })

export const UpdateCartRequest = Shape({ metadata: MetadataChange })

export const UpdateCartItemRequest = Shape({ quantity: Quantity })

export const CartItemParams = Shape({ item_id: Uuid })

/** A place whose country is required. In `CartQuery`, the default is the store's country. */
export const DestinationQuery = Shape({ country: Country, ...withinCountry })

export const CartQuery = Shape({
  ...placeQuery,
  shipping_method_id: Type.Optional({ ...Uuid, description: 'Without it, shipping costs are not included' }),
  explain: Type.Optional(
    Type.Boolean({
      description:
        'Adds to each line all possible prices and why they do or do not apply, at most 2,000 in all. `coupon` ' +
        'always has a `reason`',
    }),
  ),
})
