import { placeByPaymentMethod } from '#shared/checkout/place-by-payment-method.ts'
import { lockOrder } from '#shared/orders/order.ts'
import type { OrderDetails, OrderLine } from '#shared/orders/place/place-order.ts'
import { payBySavedCard } from '#shared/payments/open/pay-by-saved-card.ts'
import type { Payment } from '#shared/payments/payment.ts'
import { paymentWindow } from '#shared/payments/payment-window.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { ADDRESS, readStore } from '#test/support/builders/orders.ts'

export interface GivenCharge {
  store: { id: string }
  variantId: string
  customerId: string
  /** Default: a new subscription. */
  subscriptionId?: string
  chargeNo?: number
  /** The gateway's id of the saved card that is charged. Default: the buyer pays. */
  savedCard?: string
  /** Of one unit. Default: 10.00. A free one waits for a card. */
  priceMinor?: bigint
}

/** A charge of a subscription: an order by card of one unit, pending with its payment. */
export async function placeCharge(given: GivenCharge) {
  const {
    store: { id: storeId },
    savedCard,
  } = given
  const store = await readStore(storeId)
  const draft = {
    details: detailsOf(given),
    lines: [lineOf(given)],
    voucher: null,
    giftVouchers: [],
    ...(savedCard ? { savedCard } : {}),
  }
  const { order, paymentOrSetupId } = await inStore(storeId, (tx) => placeByPaymentMethod(tx, store, draft))
  return {
    id: order.id,
    paymentOrSetupId: paymentOrSetupId ?? '',
    subscriptionId: order.subscriptionId ?? '',
  }
}

/** Charges a saved card for an order that awaits payment. */
export async function chargeCard(
  { id: storeId }: { id: string },
  orderId: string,
  reference: string,
): Promise<Payment> {
  const store = await readStore(storeId)
  return inStore(storeId, async (tx) =>
    payBySavedCard(tx, await lockOrder(tx, orderId), reference, paymentWindow(store)),
  )
}

const detailsOf = (given: GivenCharge): Omit<OrderDetails, 'expiresAt' | 'holdUntil'> => ({
  customerId: given.customerId,
  subscriptionId: given.subscriptionId ?? newId(),
  chargeNo: given.chargeNo ?? 1,
  currency: 'EUR',
  language: 'en',
  email: 'ada@example.test',
  firstname: 'Ada',
  lastname: 'Byron',
  telephone: '+49 431 1234',
  shippingAddress: ADDRESS,
  billingAddress: ADDRESS,
  shippingMethod: null,
  paymentMethod: 'card',
  couponCode: null,
  note: null,
  pricesIncludeTax: false,
  subtotalMinor: priceOf(given),
  discountMinor: 0n,
  shippingMinor: 0n,
  shippingTaxMinor: 0n,
  taxMinor: 0n,
  totalMinor: priceOf(given),
  voucherMinor: 0n,
})

const lineOf = (given: GivenCharge): OrderLine => ({
  productId: null,
  variantId: given.variantId,
  name: 'Coffee',
  sku: 'coffee',
  optionValues: {},
  imageUrl: null,
  quantity: 1,
  unitPriceMinor: priceOf(given),
  lineTotalMinor: priceOf(given),
  discountMinor: 0n,
  taxMinor: 0n,
  totalMinor: priceOf(given),
})

const priceOf = ({ priceMinor = 1_000n }: GivenCharge): bigint => priceMinor
