import { type Static, Type } from 'typebox'
import { Cart, CartItem } from '#shared/cart/cart.ts'
import { CartVoucher } from '#shared/cart/cart-voucher.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { Money, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { giftProperties, viewGift } from '#shared/vouchers/gift.ts'

/** A customer's cart with its lines. */
export interface WholeCart {
  cart: Cart
  items: CartItem[]
  vouchers: CartVoucher[]
}

/** Returns the cart of a customer; null without one. */
export async function findCartOf(tx: StoreTx, customerId: string): Promise<WholeCart | null> {
  const cart = await Cart.in(tx).findOne('customer_id', customerId)
  if (!cart) return null
  const items = await CartItem.in(tx).where('cart_id', cart.id).orderBy('created_at')
  const vouchers = await CartVoucher.in(tx).where('cart_id', cart.id).orderBy('id')
  return { cart, items, vouchers }
}

/** A cart in an export: its goods without prices. */
export const ExportedCart = Shape({
  coupon_code: Type.String(),
  metadata: Metadata,
  items: Type.Array(Shape({ variant_id: Uuid, quantity: Type.Integer(), created_at: Timestamp })),
  vouchers: Type.Array(Shape({ amount: Money, ...giftProperties, created_at: Timestamp }), {
    description: 'Gift vouchers to buy',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewExportedCart = (
  { cart, items, vouchers }: WholeCart,
  currency: string,
): Static<typeof ExportedCart> => ({
  coupon_code: toText(cart.couponCode),
  metadata: cart.metadata,
  items: items.map(({ variantId, quantity, createdAt }) => ({
    variant_id: variantId,
    quantity,
    created_at: toTimestamp(createdAt),
  })),
  vouchers: vouchers.map((voucher) => ({
    amount: toMajor(voucher.amountMinor, currency),
    ...viewGift(voucher),
    created_at: toTimestamp(voucher.createdAt),
  })),
  created_at: toTimestamp(cart.createdAt),
  updated_at: toTimestamp(cart.updatedAt),
})
