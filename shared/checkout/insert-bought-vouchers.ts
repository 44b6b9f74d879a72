import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import type { Order } from '#shared/orders/order.ts'
import type { OrderLine } from '#shared/orders/place/place-order.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { VOUCHER_SKU, voucherName } from '#shared/vouchers/gift.ts'
import { insertVouchers } from '#shared/vouchers/lifecycle/issue-voucher.ts'

/** A gift voucher to buy, with its order line. */
export interface OrderedVoucher {
  voucher: VoucherLine
  line: OrderLine & { id: string }
}

/** Adds its order line to a gift voucher. The line has no discount, tax or shipping. */
export const withOrderLine = (voucher: VoucherLine, language: string): OrderedVoucher => ({
  voucher,
  line: {
    id: newId(),
    productId: null,
    variantId: null,
    name: voucherName(language),
    sku: VOUCHER_SKU,
    optionValues: {},
    imageUrl: voucher.imageUrl,
    quantity: 1,
    unitPriceMinor: voucher.amountMinor,
    lineTotalMinor: voucher.amountMinor,
    discountMinor: 0n,
    taxMinor: 0n,
    totalMinor: voucher.amountMinor,
  },
})

/** Inserts the gift vouchers that an order buys. They are inactive until the order is paid. */
export async function insertBoughtVouchers(
  tx: StoreTx,
  { id: orderId, currency, language }: Order,
  ordered: readonly OrderedVoucher[],
): Promise<void> {
  const drafts = ordered.map(({ voucher: { id: _, imageUrl: __, ...gift }, line }) => ({
    ...gift,
    currency,
    language,
    orderId,
    orderItemId: line.id,
    isActive: false,
    awaitsPayment: true,
  }))
  await insertVouchers(tx, drafts)
}
