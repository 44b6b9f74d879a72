import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Order } from '#shared/orders/order.ts'
import { OrderItem } from '#shared/orders/order-item.ts'
import type { CodedError } from '#shared/platform/errors.ts'
import { calculateRefund } from '#shared/refunds/calculate/calculate-refund.ts'
import { calculateRemainder } from '#shared/refunds/calculate/calculate-remainder.ts'
import type { RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'

const line = (id: string, totalMinor: bigint, quantity: number, given: Partial<OrderItem> = {}) =>
  Object.assign(new OrderItem(), { id, name: id, totalMinor, quantity, refundedQuantity: 0, ...given })

const vouchers = (unwithdrawnMinor: bigint, unspentMinor: bigint) =>
  [{ orderItemId: 'voucher', unwithdrawnMinor, unspentMinor }] as unknown as RefundableOrder['vouchers']

/** Three mugs for 10.00, a voucher for 25.00 of which 15.00 are unspent, and shipping for 5.00, all of it paid. */
function refundableOrder(given: Partial<RefundableOrder> = {}): RefundableOrder {
  const order = Object.assign(new Order(), {
    currency: 'EUR',
    shippingMinor: 500n,
    shippingTaxMinor: 0n,
    pricesIncludeTax: true,
    amountCapturedMinor: 4_000n,
    amountRefundedMinor: 0n,
  })
  return {
    order,
    lines: [line('mugs', 1_000n, 3), line('voucher', 2_500n, 1)],
    refundedPrices: new Map(),
    replaced: new Map(),
    shippingRefundedMinor: 0n,
    vouchers: vouchers(2_500n, 1_500n),
    inProgress: [],
    inProgressMinor: 0n,
    unitsInProgress: new Map(),
    ...given,
  }
}

const refund = (
  parts: Parameters<typeof calculateRefund>[1],
  { override = false, ...given }: Partial<RefundableOrder> & { override?: boolean } = {},
) => calculateRefund(refundableOrder(given), { ...parts, override })

const units = (orderItemId: string, quantity: number) => ({ items: [{ orderItemId, quantity }] })

test('a refund of units has their price, without the fee and with the shipping', () => {
  const { amountMinor, shippingAmountMinor, items } = refund({
    ...units('mugs', 2),
    shippingAmountMinor: 200n,
    feeMinor: 100n,
  })

  assert.equal(amountMinor, 667n - 100n + 200n)
  assert.equal(shippingAmountMinor, 200n)
  assert.deepEqual(items, [{ orderItemId: 'mugs', quantity: 2, amountMinor: 667n }])
})

test('a refund by amount names no units and no shipping', () => {
  assert.deepEqual(refund({ amountMinor: 1_234n }), {
    amountMinor: 1_234n,
    isFixed: true,
    shippingAmountMinor: 0n,
    items: [],
    voucherPrices: [],
  })
})

test('a partly spent voucher is refunded by its unspent part, and stays a unit of the order', () => {
  const { amountMinor, items, voucherPrices } = refund(units('voucher', 1))

  assert.equal(amountMinor, 1_500n)
  assert.deepEqual(items, [])
  assert.deepEqual(voucherPrices, [{ orderItemId: 'voucher', priceMinor: 1_500n }])
})

test('an override refunds the whole price of a partly spent voucher', () => {
  const { amountMinor, items } = refund(units('voucher', 1), { override: true })

  assert.equal(amountMinor, 2_500n)
  assert.deepEqual(items, [{ orderItemId: 'voucher', quantity: 1, amountMinor: 2_500n }])
})

test('an override refunds units that were replaced', () => {
  const { amountMinor } = refund(units('mugs', 3), { override: true, replaced: new Map([['mugs', 2]]) })

  assert.equal(amountMinor, 1_000n)
})

const refusals: [condition: string, code: string, refused: () => unknown][] = [
  ['units beyond those left', 'refund.quantity_exceeded', () => refund(units('mugs', 4))],
  [
    'units that were replaced',
    'refund.quantity_exceeded',
    () => refund(units('mugs', 2), { replaced: new Map([['mugs', 2]]) }),
  ],
  [
    'a voucher whose price was withdrawn',
    'refund.quantity_exceeded',
    () => refund(units('voucher', 1), { vouchers: vouchers(0n, 0n) }),
  ],
  [
    'a voucher that is spent',
    'refund.voucher_spent',
    () => refund(units('voucher', 1), { vouchers: vouchers(2_500n, 0n) }),
  ],
  [
    'more shipping than is left',
    'refund.exceeds_paid',
    () => refund({ shippingAmountMinor: 300n }, { shippingRefundedMinor: 201n }),
  ],
  ['a line of another order', 'validation.failed', () => refund(units('elsewhere', 1))],
  [
    'units with a fee above their price',
    'validation.failed',
    () => refund({ ...units('mugs', 1), feeMinor: 334n }),
  ],
]

for (const [condition, code, refused] of refusals)
  test(`a refund of ${condition} throws ${code}`, () => {
    assert.throws(refused, (error: CodedError) => error.code === code)
  })

test('the remainder has the units and the shipping that are left, and all money that is left', () => {
  const lines = [line('mugs', 1_000n, 3, { refundedQuantity: 1 })]
  const given = { lines, refundedPrices: new Map([['mugs', 333n]]), shippingRefundedMinor: 100n }

  const { amountMinor, shippingAmountMinor, items } = calculateRemainder(refundableOrder(given))

  assert.equal(amountMinor, 4_000n)
  assert.equal(shippingAmountMinor, 400n)
  assert.deepEqual(items, [{ orderItemId: 'mugs', quantity: 2, amountMinor: 667n }])
})
