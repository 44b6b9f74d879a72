import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import { type OrderDetails, type OrderLine, placeOrder } from '#shared/orders/place/place-order.ts'
import { roundForCard } from '#shared/payment-methods/card-rules.ts'
import { Payment } from '#shared/payments/payment.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { allocate, sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { activateBoughtVouchers } from '#shared/vouchers/delivery/activate-bought-vouchers.ts'
import { insertVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import type { Gateway } from '#test/sandbox/gateway/gateway.ts'
import { confirmIntent, createIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { nextNumber } from '#test/support/builders/store.ts'
import { toStripeUnits } from '#workers/gateways/stripe/stripe-units.ts'

interface GivenLine {
  priceMinor: bigint
  quantity: number
  taxMinor?: bigint
}

export interface GivenOrder {
  /** Default: EUR. A card payment is rounded as at checkout. */
  currency?: string
  /** `taxMinor` is the tax of the whole line. Default: its share of the order's tax. */
  lines?: GivenLine[]
  /** The prices of gift vouchers that the order buys. Their lines are the last. */
  voucherMinors?: bigint[]
  shippingMinor?: bigint
  shippingTaxMinor?: bigint
  discountMinor?: bigint
  /** Tax on the goods. */
  taxMinor?: bigint
  /** Null for a guest. */
  customerId?: string | null
  /** The affiliate whose link led to it. */
  affiliateId?: string
  /** The gateway of the payment. Default: paid by an offline method. */
  gateway?: Gateway
  card?: string
}

export interface CapturedOrder {
  id: string
  totalMinor: bigint
  /** The lines of goods. */
  lines: { id: string; variantId: string; quantity: number }[]
  vouchers: { id: string; code: string; lineId: string }[]
  paymentId: string
  /** The gateway's id of the payment; null for an offline method. */
  reference: string | null
}

const address = {
  firstname: 'Ada',
  lastname: 'Byron',
  address_1: 'Dorset Street 1',
  city: 'London',
  postcode: 'W1U 4EE',
  country: 'GB',
}

/** A fully paid order in processing. Default: two units of 10.00 and shipping of 5.00. */
export async function buildCapturedOrder(
  store: { id: string },
  given: GivenOrder = {},
): Promise<CapturedOrder> {
  const givenLines = given.lines ?? [{ priceMinor: 1_000n, quantity: 2 }]
  const goods = allocateParts(await buildLines(store, givenLines), given)
  const lines = [...goods, ...(given.voucherMinors ?? []).map(voucherLine)]
  const facts = factsOf(lines, given)
  const reference = given.gateway ? charge(given.gateway, facts, given.card) : null
  return inStore(store.id, async (tx) => {
    const { order } = await placeOrder(tx, { status: 'pending', details: facts, lines })
    const paymentId = await capture(tx, order.id, facts.totalMinor, reference, facts.currency)
    await changeOrderStatus(tx, order.id, 'processing', 'system')
    const items = await OrderItem.in(tx).where('order_id', order.id).orderBy('position')
    const sold = items.slice(0, goods.length)
    return {
      id: order.id,
      totalMinor: facts.totalMinor,
      lines: sold.map(({ id, variantId, quantity }) => ({ id, variantId: variantId ?? '', quantity })),
      vouchers: await buildBoughtVouchers(tx, order, items.slice(goods.length)),
      paymentId,
      reference,
    }
  })
}

/** Inserts a captured payment and records it on its order. */
export async function capture(
  tx: StoreTx,
  orderId: string,
  amountMinor: bigint,
  reference: string | null,
  currency = 'EUR',
): Promise<string> {
  const at = now()
  const { id } = await Payment.in(tx).insert({
    orderId,
    provider: reference ? 'stripe' : 'offline',
    status: 'captured',
    amountMinor,
    currency,
    capturedMinor: amountMinor,
    capturedCurrency: currency,
    closedAtGateway: at,
    gatewayReference: reference,
    capturedAt: at,
    createdAt: at,
    updatedAt: at,
  })
  const { amountCapturedMinor } = await Order.in(tx).findById(orderId).throwIfNotFound()
  await Order.in(tx)
    .findById(orderId)
    .patch({ amountCapturedMinor: amountCapturedMinor + amountMinor, paidAt: at })
  return id
}

/** Charges a test card at the sandbox gateway in memory, without an HTTP request. */
export function charge(
  gateway: Gateway,
  { totalMinor, currency }: Pick<OrderDetails, 'totalMinor' | 'currency'>,
  card = 'pm_card_visa',
): string {
  return gateway.change((context) => {
    const { id } = createIntent(context, {
      amount: String(toStripeUnits(totalMinor, currency)),
      currency: currency.toLowerCase(),
    })
    return confirmIntent(context, id, { payment_method: card }).id
  })
}

async function buildLines(store: { id: string }, lines: GivenLine[]): Promise<OrderLine[]> {
  return Promise.all(
    lines.map(async ({ priceMinor, quantity }, index) => {
      const product = await buildProduct(store)
      const [variant] = product.variants
      return {
        productId: product.id,
        variantId: variant?.id ?? null,
        name: `Line ${index + 1}`,
        sku: variant?.sku ?? '',
        optionValues: {},
        imageUrl: null,
        quantity,
        unitPriceMinor: priceMinor,
        lineTotalMinor: priceMinor * BigInt(quantity),
        discountMinor: 0n,
        taxMinor: 0n,
        totalMinor: priceMinor * BigInt(quantity),
      }
    }),
  )
}

const voucherLine = (priceMinor: bigint): OrderLine => ({
  productId: null,
  variantId: null,
  name: 'Gift voucher',
  sku: 'gift-voucher',
  optionValues: {},
  imageUrl: null,
  quantity: 1,
  unitPriceMinor: priceMinor,
  lineTotalMinor: priceMinor,
  discountMinor: 0n,
  taxMinor: 0n,
  totalMinor: priceMinor,
})

/** Inserts the vouchers of a paid order's last lines, active. */
async function buildBoughtVouchers(tx: StoreTx, { id: orderId, currency }: Order, items: OrderItem[]) {
  const bought: CapturedOrder['vouchers'] = []
  for (const { id: orderItemId, lineTotalMinor: amountMinor } of items) {
    const voucher = await insertVoucher(tx, {
      amountMinor,
      currency,
      toName: 'Grace',
      toEmail: `grace-${nextNumber()}@example.test`,
      fromName: 'Ada',
      fromEmail: 'ada@example.test',
      orderId,
      orderItemId,
      awaitsPayment: true,
      isActive: false,
    })
    bought.push({ id: voucher.id, code: voucher.code, lineId: orderItemId })
  }
  await activateBoughtVouchers(tx, orderId)
  return bought
}

/** Allocates the order's discount and tax to its lines. */
function allocateParts(lines: OrderLine[], given: GivenOrder): OrderLine[] {
  const { discountMinor = 0n, taxMinor = 0n } = given
  const prices = lines.map(({ lineTotalMinor }) => lineTotalMinor)
  const discounts = allocate(discountMinor, prices)
  const taxes = allocate(taxMinor, prices)
  return lines.map((line, index) => {
    const discountMinor = discounts[index] ?? 0n
    const taxMinor = given.lines?.[index]?.taxMinor ?? taxes[index] ?? 0n
    return { ...line, discountMinor, taxMinor, totalMinor: line.lineTotalMinor - discountMinor + taxMinor }
  })
}

function factsOf(lines: OrderLine[], given: GivenOrder): OrderDetails {
  const subtotalMinor = sum(lines.map(({ lineTotalMinor }) => lineTotalMinor))
  const { discountMinor = 0n, shippingMinor = 500n, shippingTaxMinor = 0n } = given
  const taxMinor = sum(lines.map((line) => line.taxMinor)) + shippingTaxMinor
  const { currency = 'EUR' } = given
  const exactMinor = subtotalMinor - discountMinor + shippingMinor + taxMinor
  const totalMinor = given.gateway ? roundForCard(exactMinor, currency) : exactMinor
  return {
    customerId: given.customerId ?? null,
    currency,
    language: 'en',
    email: `buyer-${nextNumber()}@example.test`,
    firstname: 'Ada',
    lastname: 'Byron',
    telephone: '+44 20 7946 0000',
    shippingAddress: address,
    billingAddress: address,
    shippingMethod: { id: newId(), code: 'parcel', name: 'Parcel' },
    paymentMethod: given.gateway ? 'card' : 'bank_transfer',
    couponCode: null,
    note: null,
    pricesIncludeTax: false,
    subtotalMinor,
    discountMinor,
    shippingMinor,
    shippingTaxMinor,
    taxMinor,
    roundingMinor: totalMinor - exactMinor,
    totalMinor,
    voucherMinor: 0n,
    affiliateId: given.affiliateId ?? null,
    expiresAt: null,
  }
}
