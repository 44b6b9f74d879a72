import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ignoreBooksOf, testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { declaredErrors } from '#shared/platform/errors.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import type { NewVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { buildApiToken, buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildOrder } from '#test/support/builders/orders.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildTwoFactor } from '#test/support/builders/two-factor.ts'
import { buildTheme, buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { type ApiResponse, type RequestOptions, request } from '#test/support/processes/app.ts'

// Each error code that clients depend on is reached over HTTP and returned with its status in the envelope.
// The tests of each operation cover its other responses.

/** A staff member of a new store. */
async function memberOf(role: string) {
  const store = await buildStore()
  const member = await buildStaff(store, { role })
  const as = (line: string, asked: RequestOptions = {}) => request(line, { token: member.token, ...asked })
  return { store, member, as }
}

const signIn = (email: string, asked: RequestOptions = {}) =>
  request('POST /auth/login', { ...asked, body: { email, password: PASSWORD } })

const refresh = (refreshToken: string, asked: RequestOptions = {}) =>
  request('POST /auth/refresh', { ...asked, body: { refresh_token: refreshToken } })

/** A guest's checkout of one unit of 10.00 in a new shop with a changed row of its store or payment methods. */
async function checkOutWhere(table: 'stores' | 'payment_methods', row: object, body: object = {}) {
  const shop = await buildShop()
  const cart = await fillCart(shop.store, shop.variantId)
  await inStore(shop.store.id, (tx) => tx.knex(table).update(row).where(shopOf(table, shop.store)))
  return checkOut(shop, { cart, body })
}

const shopOf = (table: string, { id }: { id: string }) => (table === 'stores' ? { id } : { store_id: id })

const webhookAt = async (url: string) =>
  (await memberOf('administrator')).as('POST /admin/webhooks', { body: { url, events: ['*'] } })

/** A checkout of 15.00 with the code of a voucher with these fields, or with an unknown code. */
async function payWith(voucher?: Partial<NewVoucher>, body: object = {}) {
  const shop = await buildShop()
  const code = voucher ? (await buildVoucher(shop.store, voucher)).code : 'NOT-ISSUED'
  const cart = await fillCart(shop.store, shop.variantId)
  return checkOut(shop, { cart, body: { voucher_code: code, ...body } })
}

const GIFT = {
  amount: 50,
  to_name: 'Grace',
  to_email: 'grace@example.test',
  from_name: 'Ada',
  from_email: 'ada@example.test',
}

/** The response to a sales clerk's action on a new voucher. */
async function handle(
  voucher: Partial<NewVoucher>,
  act: (id: string, as: Awaited<ReturnType<typeof memberOf>>['as']) => Promise<ApiResponse>,
  entry?: 'reserve',
) {
  const { store, as } = await memberOf('accounting')
  const { id, amountMinor } = await buildVoucher(store, voucher)
  // No order reserves it.
  if (entry) ignoreBooksOf(store)
  if (entry)
    await inStore(store.id, (tx) => bookVoucherEntry(tx, { voucherId: id, kind: entry, amountMinor }))
  return act(id, as)
}

/** Each code with its status and a request that returns it. */
const CODES: Record<string, [status: number, reach: () => Promise<ApiResponse>]> = {
  'auth.not_authenticated': [401, async () => request('GET /auth/me', { store: await buildStore() })],
  'auth.invalid_credentials': [
    401,
    async () => {
      const store = await buildStore()
      const { email } = await buildCustomer(store)
      return request('POST /auth/login', { store, body: { email, password: 'a guess' } })
    },
  ],
  'auth.totp_required': [
    401,
    async () => {
      const { store, member } = await memberOf('sales')
      await buildTwoFactor(store, { type: 'staff', id: member.id })
      return signIn(member.email)
    },
  ],
  'auth.forbidden': [403, async () => (await memberOf('sales')).as('GET /admin/webhooks')],
  'auth.refresh_token_reused': [
    401,
    async () => {
      const { member } = await memberOf('sales')
      await refresh(member.refreshToken)
      moveClock(61 * SECOND_MS)
      return refresh(member.refreshToken)
    },
  ],
  'auth.session_revoked': [
    401,
    async () => {
      const store = await buildStore()
      const { token, refreshToken } = await buildCustomer(store)
      await request('POST /auth/logout?all=true', { store, body: { refresh_token: refreshToken } })
      return request('GET /auth/me', { store, token })
    },
  ],
  'auth.tenant_unavailable': [
    403,
    async () => {
      const { store, member, as } = await memberOf('owner')
      await as(`DELETE /admin/stores/${store.id}`)
      return signIn(member.email)
    },
  ],
  'auth.api_token_forbidden': [
    403,
    async () => {
      const { token } = await buildApiToken(await buildStore(), 'users:write')
      return request('GET /admin/users', { token })
    },
  ],
  'checkout.min_order_not_met': [422, () => checkOutWhere('stores', { min_order_total_minor: 1_001 })],
  'checkout.login_required': [401, () => checkOutWhere('stores', { guest_checkout_enabled: false })],
  'checkout.payment_method_disabled': [422, () => checkOutWhere('payment_methods', { is_active: false })],
  'order.not_payable': [
    400,
    async () => {
      const store = await buildStore()
      const { id, accessToken } = await buildOrder(store)
      const asked = () => ({ store, key: randomUUID(), body: {} })
      await request(`POST /orders/${id}/cancel?access_token=${accessToken}`, asked())
      return request(`POST /orders/${id}/pay?access_token=${accessToken}`, asked())
    },
  ],
  'order.refund_forbidden': [
    403,
    async () => {
      const { store, as } = await memberOf('sales')
      const { id } = await buildOrder(store)
      return as(`PATCH /admin/orders/${id}`, { body: { status: 'refunded' } })
    },
  ],
  'order.payment_forbidden': [
    403,
    async () => {
      const { store, as } = await memberOf('sales')
      const { id } = await buildOrder(store)
      return as(`POST /admin/orders/${id}/mark-paid`, { body: {} })
    },
  ],
  'product.sku_taken': [
    409,
    async () => {
      const { as } = await memberOf('catalog')
      const body = { name_i18n: { en: 'Stool' }, price: 10, sku: 'STOOL' }
      await as('POST /admin/products', { body })
      return as('POST /admin/products', { body: { ...body, slug: 'another' } })
    },
  ],
  'product.price_rule_not_positive': [
    422,
    async () => {
      const body = { name_i18n: { en: 'Stool' }, price: 10, price_rules: [{ kind: 'special', price: 0 }] }
      return (await memberOf('catalog')).as('POST /admin/products', { body })
    },
  ],
  'user.owner_protected': [
    403,
    async () => {
      const { store, as } = await memberOf('administrator')
      const owner = await buildStaff(store, { role: 'owner' })
      return as(`DELETE /admin/users/${owner.id}`)
    },
  ],
  'user.owner_only': [
    403,
    async () => {
      const { store, as } = await memberOf('administrator')
      return as(`DELETE /admin/stores/${store.id}`)
    },
  ],
  'user.last_admin': [
    409,
    async () => {
      const { member, as } = await memberOf('administrator')
      return as(`DELETE /admin/users/${member.id}`)
    },
  ],
  'voucher.not_found': [404, () => payWith()],
  'voucher.inactive': [422, () => payWith({ isActive: false })],
  'voucher.expired': [422, () => payWith({ expiresAt: new Date('2026-01-01') })],
  'voucher.empty': [
    422,
    () => handle({}, (id, as) => as(`POST /admin/vouchers/${id}/send`, { body: {} }), 'reserve'),
  ],
  'voucher.currency_mismatch': [422, () => payWith({ currency: 'USD' })],
  'voucher.insufficient_balance': [
    422,
    () => payWith({ amountMinor: 1_499n }, { payment_method: 'voucher' }),
  ],
  'voucher.code_taken': [
    409,
    () =>
      handle({ code: 'TAKEN' }, (_, as) => {
        const body = { code: 'TAKEN', amount: 50, to_name: 'Grace', to_email: 'grace@example.test' }
        return as('POST /admin/vouchers', { body })
      }),
  ],
  'voucher.amount_below_spent': [
    409,
    () => handle({}, (id, as) => as(`PATCH /admin/vouchers/${id}`, { body: { amount: 49.99 } }), 'reserve'),
  ],
  'voucher.amount_out_of_range': [
    422,
    async () =>
      request('POST /cart/items', { store: await buildStore(), body: { voucher: { ...GIFT, amount: 0.5 } } }),
  ],
  'voucher.order_fixed': [
    409,
    async () => {
      const shop = await buildShop()
      const { data: cart } = await request('POST /cart/items', { store: shop.store, body: { voucher: GIFT } })
      const body = { payment_method: 'bank_transfer' }
      const { data } = await checkOut(shop, { cart: cart.token, body })
      const { token } = await buildStaff(shop.store, { role: 'accounting' })
      const found = await request(`GET /admin/vouchers?order_id=${data.order.id}`, { token })
      return request(`PATCH /admin/vouchers/${found.data[0].id}`, { token, body: { order_id: null } })
    },
  ],
  'voucher.awaits_payment': [
    409,
    async () => {
      const { store, as } = await memberOf('accounting')
      const { id } = await buildVoucher(store, { isActive: false })
      await inStore(store.id, (tx) => Voucher.in(tx).findById(id).patch({ awaitsPayment: true }))
      return as(`PATCH /admin/vouchers/${id}`, { body: { is_active: true } })
    },
  ],
  'voucher.in_use': [
    409,
    () => handle({}, (id, as) => as(`DELETE /admin/vouchers/${id}?purge=true`), 'reserve'),
  ],
  'voucher.theme_in_use': [
    409,
    async () => {
      const { store, as } = await memberOf('sales')
      const theme = await buildTheme(store)
      await buildVoucher(store, { voucherThemeId: theme.id })
      return as(`DELETE /admin/voucher-themes/${theme.id}`)
    },
  ],
  'webhooks.url_https_required': [422, () => webhookAt('http://hooks.example.com/')],
  'webhooks.url_not_public': [422, () => webhookAt('https://10.0.0.1/')],
  'webhooks.url_invalid': [422, () => webhookAt('hooks.example.com')],
  'validation.failed': [
    422,
    async () => request('POST /cart/items', { store: await buildStore(), body: { quantity: 0 } }),
  ],
}

test('the table lists exactly the declared voucher.* codes', () => {
  const vouchers = (codes: string[]) => codes.filter((code) => code.startsWith('voucher.')).sort()
  const declared = declaredErrors().map(({ kind }) => kind.code)

  assert.deepEqual(vouchers(Object.keys(CODES)), vouchers([...new Set(declared)]))
})

for (const [code, [expected, reach]] of Object.entries(CODES))
  test(`${code} is returned with status ${expected}`, async () => {
    const { status, error_code, data, meta, error } = await reach()

    assert.deepEqual(
      { status, error_code, data, meta },
      { status: expected, error_code: code, data: null, meta: null },
    )
    assert.match(error ?? '', /^[A-Z].+[.!?]$/)
  })

testBooks()
