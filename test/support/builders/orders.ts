import type { Static } from 'typebox'
import { toCheckoutRequest } from '#api/checkout/read-request.ts'
import type { PlaceOrderRequest as CheckoutShape } from '#api/checkout/schemas.ts'
import { addCartItem } from '#shared/cart/items/add-cart-item.ts'
import { checkOut } from '#shared/checkout/check-out.ts'
import { recordOpenedPayment } from '#shared/payments/open/record-opened-payment.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import type { Store } from '#shared/stores/store.ts'
import { startSubscriptions } from '#shared/subscriptions/lifecycle/start-subscriptions.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { nextNumber } from '#test/support/builders/store.ts'

type PlaceOrderRequest = Static<typeof CheckoutShape>

export const ADDRESS = {
  firstname: 'Ada',
  lastname: 'Byron',
  address_1: 'Quay 12',
  city: 'Kiel',
  postcode: '24103',
  country: 'DE',
}

export interface GivenOrder {
  /** Null for a guest. */
  customerId: string | null
  email: string
  /** Default: one unit of a new product of 10.00. */
  items: { variantId: string; quantity: number }[]
  paymentMethod: 'card' | 'bank_transfer' | 'cash_on_delivery' | 'sandbox'
  shippingPriceMinor: bigint
  couponCode: string
  voucherCode: string
}

export interface BuiltOrder {
  id: string
  number: string
  totalMinor: bigint
  currency: string
  /** Of a guest's order; '' for a customer's. */
  accessToken: string
  /** Null for offline methods. */
  paymentId: string | null
  items: { id: string; variantId: string; quantity: number }[]
}

/** An order placed by checkout. Default: pending, payable by card, 10.00 plus 5.00 for shipping. */
export async function buildOrder(
  store: { id: string },
  given: Partial<GivenOrder> = {},
): Promise<BuiltOrder> {
  const { paymentMethod = 'card', shippingPriceMinor = 500n } = given
  const items = given.items ?? [await oneUnit(store)]
  const shipping = await buildShippingMethod(store, { priceMinor: shippingPriceMinor })
  await buildPaymentMethods(store)
  const request = {
    ...buildCheckoutRequest(shipping.id, paymentMethod),
    ...(given.email ? { email: given.email } : {}),
    ...(given.couponCode ? { coupon_code: given.couponCode } : {}),
    ...(given.voucherCode ? { voucher_code: given.voucherCode } : {}),
  }
  const visit = await readStore(store.id)
  return inStore(store.id, (tx) => place(tx, visit, { customerId: given.customerId ?? null, items, request }))
}

/** The body of a guest checkout. */
export const buildCheckoutRequest = (
  shippingMethodId: string,
  paymentMethod = 'card',
): PlaceOrderRequest & { email: string } => ({
  email: `buyer-${nextNumber()}@example.test`,
  firstname: 'Ada',
  lastname: 'Byron',
  telephone: '+49 431 1234',
  shipping_address: ADDRESS,
  shipping_method_id: shippingMethodId,
  payment_method: paymentMethod,
})

/** An order paid by card: processing, with a payment captured under a gateway reference. */
export async function buildPaidOrder(
  store: { id: string },
  given: Partial<GivenOrder> & { reference?: string } = {},
): Promise<BuiltOrder & { paymentId: string; reference: string }> {
  const { reference = `pi_built_${nextNumber()}`, ...rest } = given
  const order = await buildOrder(store, { ...rest, paymentMethod: 'card' })
  const paymentId = order.paymentId ?? ''
  await inStore(store.id, async (tx) => {
    await recordOpenedPayment(tx, paymentId, { reference, clientSecret: `${reference}_secret_built` })
    const { amountMinor, currency } = await Payment.in(tx).findById(paymentId).throwIfNotFound()
    await applyCapture(tx, paymentId, { reference, amountMinor, currency })
  })
  return { ...order, paymentId, reference }
}

interface Placing {
  customerId: string | null
  items: GivenOrder['items']
  request: PlaceOrderRequest
}

/** Fills a cart and checks it out. */
export async function place(
  tx: StoreTx,
  store: Store,
  { customerId, items, request }: Placing,
): Promise<BuiltOrder> {
  let cartToken: string | null = null
  for (const { variantId, quantity } of items) {
    const added = await addCartItem(tx, { customerId, cartToken }, { variantId, quantity })
    cartToken ??= added.token ?? null
  }
  const {
    order,
    view,
    accessToken,
    paymentOrSetupId: paymentId,
  } = await checkOut(
    tx,
    {
      store,
      language: store.defaultLanguage,
      holder: { customerId, cartToken },
      request: toCheckoutRequest(request, store.currency),
    },
    startSubscriptions,
  )
  return {
    id: order.id,
    number: order.number,
    totalMinor: order.totalMinor,
    currency: order.currency,
    accessToken: accessToken ?? '',
    paymentId,
    items: view.items.map((item) => ({
      id: item.id,
      variantId: item.variant_id ?? '',
      quantity: item.quantity,
    })),
  }
}

async function oneUnit(store: { id: string }) {
  const product = await buildProduct(store)
  return { variantId: product.variants[0]?.id ?? '', quantity: 1 }
}

export async function readStore(storeId: string): Promise<Store> {
  const visit = await findStoreById(storeId)
  if (!visit) throw new Error('buildOrder needs a built store')
  return visit.store
}
