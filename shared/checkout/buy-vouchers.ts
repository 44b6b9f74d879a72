import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import type { OrderLine, PlacedOrder } from '#shared/orders/place-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertVoucher } from '#shared/vouchers/issue-voucher.ts'
import { VOUCHER_SKU, voucherName } from '#shared/vouchers/name.ts'

/** The line of an order that a gift voucher is bought by: neither discounted nor taxed, and nothing to ship. */
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
})

/** Makes the vouchers that an order buys, whose lines stand last in it: not active before it is paid. */
export async function insertBought(
  tx: StoreTx,
  { order, view }: PlacedOrder,
  vouchers: readonly VoucherLine[],
): Promise<void> {
  const items = view.items.slice(view.items.length - vouchers.length)
  for (const [index, { id: _, imageUrl: __, ...voucher }] of vouchers.entries())
    await insertVoucher(tx, {
      ...voucher,
      currency: order.currency,
      language: order.language,
      orderId: order.id,
      orderItemId: items[index]?.id ?? '',
      isActive: false,
      awaitsPayment: true,
    })
}
