import type { ReadScope } from '#shared/platform/db/json-query.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { TaxPart } from '#shared/tax/tax-on.ts'
import { aboutCart } from './about-cart.ts'
import { type CartCoupon, presentCoupon } from './cart-coupon.ts'
import { CART_ROW, type CartLine, type CartRow, JOIN_VARIANT, toLine } from './cart-line.ts'
import { toVoucherLine, VOUCHER_ROW, type VoucherLine, type VoucherRow } from './cart-voucher.ts'
import type { CartHolder } from './open-cart.ts'
import { type PricedLines, priceCart } from './price-cart.ts'

/** A cart with its lines, priced now. */
export interface PricedCart extends PricedLines<CartLine> {
  id: string | null
  /** Null without one, or when the store has it no more. */
  coupon: CartCoupon | null
  /** What each rate comes to; none while it is not known where the cart is to go. */
  taxes: readonly TaxPart[]
  /** Gift vouchers to be bought, in the totals as they are. */
  vouchers: VoucherLine[]
}

/** The cart beside each of its lines, goods before vouchers; an empty cart has one row without a line. */
const readLines = (whichCart: string): string => `
  select c.id, c.customer_id as "customerId", c.coupon_code as "couponCode", line.json, line.voucher
  from carts c
  left join lateral (
    select to_json(l) as json, null::json as voucher from (
      select ${CART_ROW}
      from cart_items i ${JOIN_VARIANT}
      where i.store_id = c.store_id and i.cart_id = c.id
      order by i.created_at, i.id) l
    union all
    select null, to_json(l) from (
      select ${VOUCHER_ROW} from cart_vouchers g
      where g.store_id = c.store_id and g.cart_id = c.id
      order by g.id) l) line on true
  where ${whichCart}`

const reading = aboutCart('read_cart', readLines)

/** The holder's cart, priced now: in one round trip, and one more for its coupon. */
export async function readCart(storeId: string, holder: CartHolder): Promise<PricedCart> {
  const { statement, values } = reading(holder)
  const rows = await readInStore(storeId, statement, values)
  return priceRows(
    { storeId },
    rows.map(([id, customerId, couponCode, json, voucher]) => ({
      id: id ?? '',
      customerId: customerId ?? null,
      couponCode: couponCode ?? null,
      json: json && JSON.parse(json),
      voucher: voucher && JSON.parse(voucher),
    })),
  )
}

const LOAD_CART: Statement = {
  name: 'load_cart',
  text: readLines(`c.store_id = ${CURRENT_STORE} and c.id = $2::uuid`),
}

/** A cart that the transaction has opened, priced now. */
export async function loadCart(tx: StoreTx, cartId: string): Promise<PricedCart> {
  return priceRows(tx, await tx.prepared<LineRow>(LOAD_CART, [now().toISOString(), cartId]))
}

interface LineRow {
  id: string
  customerId: string | null
  couponCode: string | null
  json: CartRow | null
  voucher: VoucherRow | null
}

async function priceRows(within: ReadScope, rows: LineRow[]): Promise<PricedCart> {
  const [cart] = rows
  if (!cart) return NO_CART
  const { id, customerId, couponCode } = cart
  const lines = rows.flatMap(({ json }) => (json ? [toLine(json)] : []))
  const vouchers = rows.flatMap(({ voucher }) => (voucher ? [toVoucherLine(voucher)] : []))
  const buyer = { customerId, email: null }
  const coupon = couponCode === null ? null : await presentCoupon(within, couponCode, lines, buyer)
  return priceWith({ id, lines, vouchers }, coupon)
}

/** Prices the lines of a cart with a coupon, or without one. */
export function priceWith(
  { id, lines, vouchers }: { id: string | null; lines: CartLine[]; vouchers: VoucherLine[] },
  coupon: CartCoupon | null,
): PricedCart {
  const vouchersMinor = sum(vouchers.map(({ amountMinor }) => amountMinor))
  const priced = priceCart(lines, { discountsMinor: coupon?.discountsMinor, vouchersMinor })
  return { id, coupon, vouchers, taxes: [], ...priced }
}

/** What a holder without a cart has. */
export const NO_CART: PricedCart = priceWith({ id: null, lines: [], vouchers: [] }, null)
