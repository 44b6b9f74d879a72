import { taxExemptSql } from '#shared/customers/tax-exemption.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { type CartHolder, cartQuery } from './cart.ts'
import { type CartLine, type CartRow, cartRowSql, JOIN_VARIANT, toLines } from './cart-line.ts'
import { toVoucherLine, VOUCHER_ROW, type VoucherLine, type VoucherRow } from './cart-voucher.ts'

const claimQuery = cartQuery(
  'claim_cart_lines',
  ({ condition, customerId }) => `
    with cart as materialized (
      select c.store_id, c.id, c.customer_id, c.coupon_code, c.metadata from carts c where ${condition}
      for no key update),
    claimed_items as (
      delete from cart_items item using cart
      where item.store_id = cart.store_id and item.cart_id = cart.id
      returning item.*, cart.customer_id, cart.coupon_code),
    claimed_vouchers as (
      delete from cart_vouchers voucher using cart
      where voucher.store_id = cart.store_id and voucher.cart_id = cart.id
      returning voucher.*, cart.customer_id, cart.coupon_code),
    cleared_cart as (
      update carts c set coupon_code = null, metadata = '{}' from cart
      where c.store_id = cart.store_id and c.id = cart.id
        and (cart.coupon_code is not null or cart.metadata <> '{}'))
    select line, voucher, "couponCode", ${taxExemptSql(customerId && 'claimed.customer_id')} as "isTaxExempt",
      case when row_number() over () = 1 then (select metadata from cart) end as metadata from (
      select (select to_json(line) from (select ${cartRowSql(customerId && 'i.customer_id')}) line) as line,
        null::json as voucher, i.coupon_code as "couponCode", i.customer_id, i.created_at, i.id
      from claimed_items i ${JOIN_VARIANT}
      union all
      select null, (select to_json(line) from (select ${VOUCHER_ROW}) line), g.coupon_code, g.customer_id, g.created_at, g.id
      from claimed_vouchers g) claimed
    order by created_at, id`,
)

export interface ClaimedLines {
  lines: CartLine[]
  /** Gift vouchers to buy. */
  giftVouchers: VoucherLine[]
  couponCode: string | null
  /** Whether the customer pays no tax. */
  isTaxExempt: boolean
  metadata: Metadata
}

/**
 * Removes all lines, the coupon and the metadata of the holder's cart, and returns them at current prices. It locks the
 * cart first, so that a concurrent change of the coupon or metadata is not lost. The second of two concurrent checkouts
 * finds the cart empty.
 */
export async function claimLines(tx: StoreTx, holder: CartHolder): Promise<ClaimedLines> {
  const { statement, values } = claimQuery(holder)
  const rows = await tx.prepared<ClaimedRow>(statement, values)
  return {
    lines: toLines(rows.flatMap(({ line }) => line ?? [])),
    giftVouchers: rows.flatMap(({ voucher }) => (voucher ? [toVoucherLine(voucher)] : [])),
    couponCode: rows[0]?.couponCode ?? null,
    isTaxExempt: rows[0]?.isTaxExempt ?? false,
    metadata: rows.find(({ metadata }) => metadata)?.metadata ?? {},
  }
}

interface ClaimedRow {
  line: CartRow | null
  voucher: VoucherRow | null
  couponCode: string | null
  isTaxExempt: boolean
  metadata: Metadata | null
}
