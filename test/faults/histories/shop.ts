import { adjustStock } from '#shared/inventory/adjust-stock.ts'
import { enqueueDueOrders, readMissedNotifications, recoverPayments } from '#shared/payments/jobs.ts'
import { saveNotificationCursor } from '#shared/payments/notifications/notification-cursor.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { now, setClock } from '#shared/platform/time/clock.ts'
import { recoverRefunds } from '#shared/refunds/jobs.ts'
import type { Store } from '#shared/stores/store.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildCoupon } from '#test/support/builders/coupons.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { readStore } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/builders/taxes.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { superuser } from '#test/support/database.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { handlers } from '#workers/handlers.ts'

/** Prices in minor units. Cards pay KWD in steps of 10 fils, and the gateway refunds fractions of a forint. */
const PRICES = { EUR: 999n, USD: 1_250n, JPY: 333n, KWD: 1_230n, HUF: 1_999n } as const
export type Currency = keyof typeof PRICES
export const CURRENCIES = Object.keys(PRICES) as Currency[]

export interface Shop {
  store: Store
  variantIds: string[]
  shippingId: string
  couponCode: string
  voucherCode: string
  startedAt: Date
}

type Furnished = Pick<Shop, 'store' | 'variantIds' | 'shippingId'>
/** What a shop sells in, and whether its prices include the tax of 19 %. */
export interface Terms {
  currency: Currency
  pricesIncludeTax: boolean
}

const furnished = new Map<string, Promise<Furnished>>()

async function furnish({ currency, pricesIncludeTax }: Terms): Promise<Furnished> {
  const price = PRICES[currency]
  const { id } = await buildStore({ currency, country: 'DE', pricesIncludeTax })
  const taxClass = await buildTaxClass({ id }, { isDefault: true })
  await buildTaxRate({ id }, { percent: 19, taxClassId: taxClass.id })
  await buildPaymentMethods({ id })
  const shipping = await buildShippingMethod({ id }, { priceMinor: price / 10n > 100n ? 120n : 50n })
  const { variants } = await buildProduct(
    { id },
    {
      priceMinor: price,
      options: [{ name: 'Size', values: ['S', 'M'] }],
      variants: [{ optionValues: { Size: 'S' } }, { optionValues: { Size: 'M' } }],
    },
  )
  return { store: await readStore(id), variantIds: variants.map((one) => one.id), shippingId: shipping.id }
}

/** The tables of a history, which the next one does not see. */
const WIPED = [
  ...['orders', 'order_items', 'order_steps', 'payments', 'payment_references', 'payment_notifications'],
  ...['surpluses', 'refunds', 'refund_items', 'disputes', 'returns', 'return_items', 'notification_cursors'],
  ...['vouchers', 'voucher_entries', 'voucher_redemptions', 'voucher_withdrawals', 'coupons', 'coupon_uses'],
  ...[
    'carts',
    'cart_items',
    'cart_vouchers',
    'stock_reservations',
    'stock_movements',
    'events',
    'pgboss.job',
  ],
]
const WIPE = `
  begin; set local session_replication_role = replica;
  ${WIPED.map((table) => `delete from ${table};`).join('\n')}
  update product_variants set stock_on_hand = 0, stock_held = 0, stock_allocated = 0;
  commit`

/** A shop for one history, at the present: a few units, a coupon with two uses and a voucher. */
export async function openShop(terms: Terms, units: readonly number[]): Promise<Shop> {
  moveTo(0)
  gateway.change((context) => context.books.clear())
  gateway.faults.clear()
  const key = `${terms.currency} ${terms.pricesIncludeTax}`
  const opened = furnished.get(key) ?? furnish(terms)
  furnished.set(key, opened)
  const shop = await opened
  await superuser.query(WIPE)
  const startedAt = now()
  await saveNotificationCursor('stripe', startedAt)
  const { store } = shop
  for (const [index, variantId] of shop.variantIds.entries())
    await inStore(store.id, (tx) => adjustStock(tx, variantId, { delta: units[index] ?? 1, note: null }))
  const { code: couponCode } = await buildCoupon(store, { usesTotal: 2 })
  const amountMinor = PRICES[terms.currency] * 2n
  const { code: voucherCode } = await buildVoucher(store, { amountMinor, currency: store.currency })
  return { ...shop, couponCode, voucherCode, startedAt }
}

let offsetMs = 0

/** Sets the service's clock to a time after the present. */
function moveTo(ms: number): void {
  offsetMs = ms
  setClock(() => new Date(Date.now() + ms))
}

/** Moves the service's clock, and the gateway's, forward. */
export const passTime = (ms: number): void => moveTo(offsetMs + ms)

// Mails move no money.
const OF_MONEY = handlers.filter(({ job }) => !job.queue.includes('mail'))

/** Runs the jobs that are due. Returns the errors of those that failed. */
export async function runJobs(): Promise<string[]> {
  const drained = await drainJobs(OF_MONEY)
  return drained.flatMap(({ queue, error }) => (error ? [`${queue}: ${error}`] : []))
}

/** Runs the schedule of the payments' jobs once. */
export async function runSchedule(): Promise<string[]> {
  const boss = await queues()
  const failed: string[] = []
  for (const { queue } of [readMissedNotifications, recoverPayments, enqueueDueOrders, recoverRefunds]) {
    await boss.send(queue, {})
    failed.push(...(await runJobs()))
  }
  return failed
}
