import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import type { OrderLine, PlacedOrder } from '#shared/orders/place/place-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { VOUCHER_SKU, voucherName } from '#shared/vouchers/gift.ts'
import { insertVouchers } from '#shared/vouchers/lifecycle/issue-voucher.ts'

/** Returns the order line of a bought gift voucher. It has no discount, tax or shipping. */
export const voucherLine = ({ amountMinor, imageUrl }: VoucherLine, language: string): OrderLine => ({
  productId: null,
  variantId: null,
  name: voucherName(language),
  sku: VOUCHER_SKU,
  optionValues: {},
  imageUrl,
  quantity: 1,
  unitPriceMinor: amountMinor,
  lineTotalMinor: amountMinor,
  discountMinor: 0n,
  taxMinor: 0n,
  totalMinor: amountMinor,
})

/**
 * Inserts the vouchers that an order buys. Their lines are the last ones of the order. They are inactive until the
 * order is paid.
 */
export async function insertBoughtVouchers(
  tx: StoreTx,
  { order, view }: PlacedOrder,
  vouchers: readonly VoucherLine[],
): Promise<void> {
  const items = view.items.slice(view.items.length - vouchers.length)
  const drafts = vouchers.map(({ id: _, imageUrl: __, ...voucher }, index) => {
    const item = items[index]
    if (!item) throw new Error(`The order ${order.id} has too few items for its vouchers`)
    const { id: orderId, currency, language } = order
    return {
      ...voucher,
      currency,
      language,
      orderId,
      orderItemId: item.id,
      isActive: false,
      awaitsPayment: true,
    }
  })
  await insertVouchers(tx, drafts)
}
