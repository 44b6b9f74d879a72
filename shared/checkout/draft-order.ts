import { assertMaxTotal } from '#shared/cart/assert-max-total.ts'
import type { CartCoupon, EnteredCoupon } from '#shared/cart/cart-coupon.ts'
import type { CartLine } from '#shared/cart/cart-line.ts'
import type { VoucherLine } from '#shared/cart/cart-voucher.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { MAX_TOTAL_MINOR } from '#shared/cart/limits.ts'
import type { LineParts, Totals } from '#shared/cart/price-cart.ts'
import { assertShips } from '#shared/cart/prices/assert-ships.ts'
import type { SaleRules } from '#shared/cart/prices/find-sale-rules.ts'
import { priceGoods } from '#shared/cart/prices/price-goods.ts'
import { type InsufficientLine, StockErrors } from '#shared/orders/errors.ts'
import type { OrderTax } from '#shared/orders/order.ts'
import type { OrderDetails, OrderLine } from '#shared/orders/place/place-order.ts'
import { type Metadata, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { pickText } from '#shared/platform/text.ts'
import type { OfferedMethod } from '#shared/shipping-methods/offered-method.ts'
import type { Store } from '#shared/stores/store.ts'
import type { TaxPart } from '#shared/tax/tax-calculator.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { CheckoutErrors } from './errors.ts'
import type { Attribution } from './find-attribution.ts'

/** The buyer, the claimed lines and the rules of the sale, from which an order is drafted. */
export interface OrderInput {
  store: Store
  language: string
  customerId: string | null
  email: string
  lines: CartLine[]
  /** Gift vouchers to buy. */
  giftVouchers: VoucherLine[]
  coupon: EnteredCoupon | null
  rules: SaleRules
  request: CheckoutRequest
  /** Undefined if no link led to the order, and for later charges of a subscription. */
  attribution?: Attribution
  /** The metadata of the cart. */
  metadata: Metadata
}

/**
 * Builds the details of an order with its exact total, and the lines of its goods. It reads and writes nothing. Throws
 * the errors of goods, coupons and shipping methods that cannot be ordered.
 */
export function draftOrder(input: OrderInput): {
  details: Omit<OrderDetails, 'expiresAt' | 'voucherMinor'>
  lines: OrderLine[]
} {
  const { lines, giftVouchers, rules } = input
  if (lines.length + giftVouchers.length === 0) throw CheckoutErrors.cartEmpty()
  assertSold(input)
  assertMaxTotal(input)
  const { lines: priced, totals, taxes, coupon } = priceGoods(rules, input)
  // Do not ignore the coupon: the buyer would pay more than expected.
  if (coupon?.refusal) throw coupon.refusal
  assertShips(rules, lines)
  if (totals.totalMinor > MAX_TOTAL_MINOR) throw CartErrors.totalTooLarge()
  return {
    details: { ...detailsOf(input, totals, coupon), taxes: taxes.map(toTaxRow) },
    lines: priced.map((line) => orderLine(line, input)),
  }
}

/** Throws `checkout.insufficient_stock` for goods that are no longer sold, or not by the plan of their line. */
function assertSold({ lines, store, language }: OrderInput): void {
  const unsold = lines.filter(({ sellable }) => !sellable.isSellable)
  if (unsold.length === 0) return
  const insufficient = unsold.map(
    ({ sellable, quantity, recurring }): InsufficientLine => ({
      name: pickText(sellable.nameI18n, language, store.defaultLanguage),
      sku: sellable.sku,
      quantity,
      available: 0,
      endedPlan:
        recurring?.isSold === false
          ? pickText(recurring.terms.nameI18n, language, store.defaultLanguage)
          : undefined,
    }),
  )
  throw StockErrors.insufficientStock({ lines: insufficient })
}

function detailsOf(
  input: OrderInput,
  totals: Totals,
  coupon: CartCoupon | null,
): Omit<OrderDetails, 'expiresAt' | 'voucherMinor'> {
  const { store, language, customerId, email, rules, request, attribution, metadata } = input
  const { shipping } = rules
  return {
    customerId,
    currency: store.currency,
    language,
    email,
    firstname: request.firstname,
    lastname: request.lastname,
    telephone: request.telephone,
    shippingAddress: request.shippingAddress,
    billingAddress: request.billingAddress ?? request.shippingAddress,
    shippingMethod: shipping ? nameShipping(shipping, language, store) : null,
    paymentMethod: request.paymentMethod,
    couponCode: coupon?.rules.code ?? null,
    ...attribution,
    note: request.note ?? null,
    metadata: mergeMetadata(metadata, request.metadata),
    shippingTaxClassId: shipping ? (shipping.taxClassId ?? rules.tax.defaultClassId) : null,
    ...totals,
  }
}

const toTaxRow = ({ taxMinor, netMinor, ...rate }: TaxPart): OrderTax => ({
  ...rate,
  taxMinor: Number(taxMinor),
  netMinor: Number(netMinor),
})

const nameShipping = ({ id, code, nameI18n }: OfferedMethod, language: string, store: Store) => ({
  id,
  code,
  name: pickText(nameI18n, language, store.defaultLanguage),
})

function orderLine(line: CartLine & LineParts, { store, language, rules }: OrderInput): OrderLine {
  const { sellable } = line
  return {
    productId: sellable.productId,
    variantId: line.variantId,
    name: pickText(sellable.nameI18n, language, store.defaultLanguage),
    sku: sellable.sku,
    optionValues: sellable.optionValues,
    imageUrl: sellable.imageUrl,
    quantity: line.quantity,
    unitPriceMinor: line.unitPriceMinor,
    lineTotalMinor: line.lineTotalMinor,
    discountMinor: line.discountMinor,
    taxClassId: line.taxClassId ?? rules.tax.defaultClassId,
    taxMinor: line.taxMinor,
    totalMinor: line.totalMinor,
  }
}
