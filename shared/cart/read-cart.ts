import { taxExemptSql } from '#shared/customers/tax-exemption.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import type { ReadScope } from '#shared/platform/db/query-json.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { now } from '#shared/platform/time/clock.ts'
import { type CartHolder, cartQuery } from './cart.ts'
import { type EnteredCoupon, findCartCoupon } from './cart-coupon.ts'
import { type CartLine, type CartRow, cartRowSql, JOIN_VARIANT, toLines } from './cart-line.ts'
import { toVoucherLine, VOUCHER_ROW, type VoucherLine, type VoucherRow } from './cart-voucher.ts'

/** A cart with its lines at the store's current prices. */
export interface CartContents {
  id: string | null
  lines: CartLine[]
  /** Gift vouchers to buy. */
  vouchers: VoucherLine[]
  /** Null if there is no coupon or it was deleted. */
  coupon: EnteredCoupon | null
  /** Whether the customer pays no tax. */
  isTaxExempt: boolean
  metadata: Metadata
}

/**
 * SQL: one row for each line with its cart, goods before vouchers. An empty cart has one row without a line. Only one
 * row has the metadata.
 */
const readLines = (whichCart: string): string => `
  select c.id, c.customer_id as "customerId", c.coupon_code as "couponCode", line.json, line.voucher,
    ${taxExemptSql('c.customer_id')}::text as "isTaxExempt",
    case when row_number() over () = 1 then c.metadata end as metadata
  from carts c
  left join lateral (
    select to_json(l) as json, null::json as voucher from (
      select ${cartRowSql('c.customer_id')}
      from cart_items i ${JOIN_VARIANT}
      where i.store_id = c.store_id and i.cart_id = c.id
      order by i.created_at, i.id) l
    union all
    select null, to_json(l) from (
      select ${VOUCHER_ROW} from cart_vouchers g
      where g.store_id = c.store_id and g.cart_id = c.id
      order by g.id) l) line on true
  where ${whichCart}`

const readQuery = cartQuery('read_cart', readLines)

/** Reads the holder's cart at current prices. It takes one round trip, and another one for a coupon. */
export async function readCart(storeId: string, holder: CartHolder): Promise<CartContents> {
  const { statement, values } = readQuery(holder)
  const rows = await readInStore(storeId, statement, values)
  return toContents(
    { storeId },
    rows.map(([id, customerId, couponCode, json, voucher, isTaxExempt, metadata]) => ({
      id: id ?? '',
      customerId: customerId ?? null,
      couponCode: couponCode ?? null,
      json: json && JSON.parse(json),
      voucher: voucher && JSON.parse(voucher),
      isTaxExempt: isTaxExempt as 'true' | 'false',
      metadata: metadata && JSON.parse(metadata),
    })),
  )
}

const LOAD_CART: Statement = {
  name: 'load_cart',
  text: readLines(`c.store_id = ${CURRENT_STORE} and c.id = $2::uuid`),
}

/** Reads a cart at current prices in a transaction. */
export async function loadCart(tx: StoreTx, cartId: string): Promise<CartContents> {
  return toContents(tx, await tx.prepared<LineRow>(LOAD_CART, [now().toISOString(), cartId]))
}

interface LineRow {
  id: string
  customerId: string | null
  couponCode: string | null
  json: CartRow | null
  voucher: VoucherRow | null
  isTaxExempt: 'true' | 'false'
  metadata: Metadata | null
}

async function toContents(within: ReadScope, rows: LineRow[]): Promise<CartContents> {
  const [cart] = rows
  if (!cart) return EMPTY_CART
  const { id, customerId, couponCode } = cart
  const lines = toLines(rows.flatMap(({ json }) => json ?? []))
  const vouchers = rows.flatMap(({ voucher }) => (voucher ? [toVoucherLine(voucher)] : []))
  const buyer = { customerId, email: null }
  const coupon = couponCode === null ? null : await findCartCoupon(within, couponCode, lines, buyer)
  const metadata = rows.find((row) => row.metadata)?.metadata ?? {}
  return { id, lines, vouchers, coupon, isTaxExempt: cart.isTaxExempt === 'true', metadata }
}

/** The contents for a holder without a cart. */
export const EMPTY_CART: CartContents = {
  id: null,
  lines: [],
  vouchers: [],
  coupon: null,
  isTaxExempt: false,
  metadata: {},
}
