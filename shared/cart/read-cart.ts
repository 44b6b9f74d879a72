import { taxExemptSql } from '#shared/customers/tax-exemption.ts'
import { queryJson, type ReadScope } from '#shared/platform/db/query-json.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { now } from '#shared/platform/time/clock.ts'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { type CartHolder, type CartSql, cartQuery } from './cart.ts'
import { type EnteredCoupon, findCartCoupon } from './cart-coupon.ts'
import { type CartLine, type CartRow, cartRowSql, JOIN_VARIANT, planSql, toLines } from './cart-line.ts'
import { toVoucherLine, VOUCHER_ROW, type VoucherLine, type VoucherRow } from './cart-voucher.ts'

/** A cart with its lines at the store's current prices. */
export interface CartContents {
  id: string | null
  lines: CartLine[]
  /** Gift vouchers to buy. */
  giftVouchers: VoucherLine[]
  /** Null if there is no coupon or it was deleted. */
  coupon: EnteredCoupon | null
  /** Whether the customer pays no tax. */
  isTaxExempt: boolean
  metadata: Metadata
}

/** A row of a statement that reads a cart. Each row has one of the fields. */
interface CartPart {
  cart?: CartHead
  line?: CartRow
  voucher?: VoucherRow
}

interface CartHead extends Pick<CartContents, 'isTaxExempt' | 'metadata'> {
  id: string
  customerId: string | null
  couponCode: string | null
  hasVouchers: boolean
}

const HAS_VOUCHERS = 'exists (select from cart_vouchers g where g.store_id = c.store_id and g.cart_id = c.id)'

/** SQL of the cart and its lines, oldest first. `plan` is the SQL of a line's plan. */
const readLinesSql = ({ condition, customerId }: CartSql, plan: string, vouchers = ''): string => `
  select part.json::text as json
  from carts c
  cross join lateral (
    select json_build_object('cart', json_build_object('id', c.id, 'customerId', c.customer_id,
      'couponCode', c.coupon_code, 'metadata', c.metadata, 'hasVouchers', ${HAS_VOUCHERS},
      'isTaxExempt', ${taxExemptSql(customerId)})) as json
    union all
    select json_build_object('line', line) from (
      select ${cartRowSql(customerId, plan)}
      from cart_items i ${JOIN_VARIANT}
      where i.store_id = c.store_id and i.cart_id = c.id
      order by i.created_at, i.id) line
    ${vouchers}) part
  where ${condition}`

const VOUCHERS = `
    union all
    select json_build_object('voucher', voucher) from (
      select ${VOUCHER_ROW} from cart_vouchers g
      where g.store_id = c.store_id and g.cart_id = c.id
      order by g.id) voucher`

/**
 * Most carts have neither plans nor gift vouchers, and a statement without the tables of these takes PostgreSQL a
 * fifth less time.
 */
const readGoodsSql = (cart: CartSql) => readLinesSql(cart, 'null::json')
const readAllSql = (cart: CartSql) => readLinesSql(cart, planSql(cart.customerId), VOUCHERS)

type CartStatement = 'goods' | 'all'
type ReadParts = (statement: CartStatement) => Promise<CartPart[]>

/** Reads the goods, and then the whole cart only if there is more. */
async function readParts(read: ReadParts): Promise<CartPart[]> {
  const parts = await read('goods')
  const hasMore = parts.some(({ cart, line }) => cart?.hasVouchers || line?.planId)
  return hasMore ? read('all') : parts
}

// To price a hundred lines and explain them takes 5 ms.
const MANY_LINES = 20

const QUERIES = { goods: cartQuery('read_cart_goods', readGoodsSql), all: cartQuery('read_cart', readAllSql) }

/**
 * Reads the holder's cart at current prices. It takes one round trip, one more for plans and gift vouchers, and one
 * more for a coupon.
 */
export async function readCart(storeId: string, holder: CartHolder): Promise<CartContents> {
  const within = { storeId }
  const parts = await readParts((name) => {
    const { statement, values } = QUERIES[name](holder)
    return queryJson<CartPart>(within, statement, values)
  })
  if (parts.length > MANY_LINES) await takeTurn(storeId)
  return toContents(within, parts)
}

const BY_ID: CartSql = {
  condition: `c.store_id = ${CURRENT_STORE} and c.id = $2::uuid`,
  customerId: 'c.customer_id',
}

const STATEMENTS: Record<CartStatement, Statement> = {
  goods: { name: 'load_cart_goods', text: readGoodsSql(BY_ID) },
  all: { name: 'load_cart', text: readAllSql(BY_ID) },
}

/** Reads a cart at current prices in a transaction. */
export async function loadCart(tx: StoreTx, cartId: string): Promise<CartContents> {
  const values = [now().toISOString(), cartId]
  return toContents(tx, await readParts((name) => queryJson<CartPart>(tx, STATEMENTS[name], values)))
}

async function toContents(within: ReadScope, parts: CartPart[]): Promise<CartContents> {
  const cart = parts.find((part) => part.cart)?.cart
  if (!cart) return EMPTY_CART
  const { id, customerId, couponCode, isTaxExempt, metadata } = cart
  const lines = toLines(parts.flatMap(({ line }) => line ?? []))
  const giftVouchers = parts.flatMap(({ voucher }) => (voucher ? [toVoucherLine(voucher)] : []))
  const buyer = { customerId, email: null }
  const coupon = couponCode === null ? null : await findCartCoupon(within, couponCode, lines, buyer)
  return { id, lines, giftVouchers, coupon, isTaxExempt, metadata }
}

/** The contents for a holder without a cart. */
export const EMPTY_CART: CartContents = {
  id: null,
  lines: [],
  giftVouchers: [],
  coupon: null,
  isTaxExempt: false,
  metadata: {},
}
