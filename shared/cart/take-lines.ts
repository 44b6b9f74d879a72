import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { aboutCart } from './about-cart.ts'
import { CART_ROW, type CartLine, type CartRow, JOIN_VARIANT, toLine } from './cart-line.ts'
import { toVoucherLine, VOUCHER_ROW, type VoucherLine, type VoucherRow } from './cart-voucher.ts'
import type { CartHolder } from './open-cart.ts'

const taking = aboutCart(
  'take_cart_lines',
  (whichCart) => `
    with mine as materialized (
      select c.store_id, c.id, c.coupon_code from carts c where ${whichCart}),
    i as (
      delete from cart_items i using mine
      where i.store_id = mine.store_id and i.cart_id = mine.id
      returning i.*, mine.coupon_code),
    bared as (
      update carts c set coupon_code = null from mine
      where c.store_id = mine.store_id and c.id = mine.id and mine.coupon_code is not null),
    g as (
      delete from cart_vouchers g using mine
      where g.store_id = mine.store_id and g.cart_id = mine.id
      returning g.*, mine.coupon_code)
    select line, voucher, "couponCode" from (
      select (select to_json(line) from (select ${CART_ROW}) line) as line, null::json as voucher,
        i.coupon_code as "couponCode", i.created_at, i.id
      from i ${JOIN_VARIANT}
      union all
      select null, (select to_json(line) from (select ${VOUCHER_ROW}) line), g.coupon_code, g.created_at, g.id
      from g) taken
    order by created_at, id`,
)

/** What is taken out of a cart. */
export interface TakenLines {
  lines: CartLine[]
  /** Gift vouchers to be bought. */
  vouchers: VoucherLine[]
  couponCode: string | null
}

/**
 * Takes every line out of the holder's cart, priced now, and its coupon off. Who takes first has them: of two checkouts
 * at once, the second finds the cart empty.
 */
export async function takeLines(tx: StoreTx, holder: CartHolder): Promise<TakenLines> {
  const { statement, values } = taking(holder)
  const rows = await tx.prepared<TakenRow>(statement, values)
  return {
    lines: rows.flatMap(({ line }) => (line ? [toLine(line)] : [])),
    vouchers: rows.flatMap(({ voucher }) => (voucher ? [toVoucherLine(voucher)] : [])),
    couponCode: rows[0]?.couponCode ?? null,
  }
}

interface TakenRow {
  line: CartRow | null
  voucher: VoucherRow | null
  couponCode: string | null
}
