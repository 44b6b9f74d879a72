import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { buildApiToken, buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { moveClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'

const GIFT = { amount: 50, to_name: 'Grace Hopper', to_email: 'grace@example.test' }

/** Staff with the preset role `sales`, which cannot refund, and an accountant, who can. */
async function buildCallers() {
  const store = await buildStore()
  const { token: sales } = await buildStaff(store, { role: 'sales' })
  const { token: accounting } = await buildStaff(store, { role: 'accounting' })
  return { store, sales, accounting }
}

test('issuing a voucher needs the right to refund', async () => {
  const { store, sales, accounting } = await buildCallers()
  const { token: program } = await buildApiToken(store, 'sales:read', 'sales:write')
  const issue = (token: string) => request('POST /admin/vouchers', { token, body: GIFT })

  for (const token of [sales, program])
    assert.partialDeepStrictEqual(await issue(token), { status: 403, error_code: 'order.refund_forbidden' })
  assert.equal((await request('GET /admin/vouchers', { token: sales })).data.length, 0)
  assert.equal((await issue(accounting)).status, 201)
})

test('without the right to refund a voucher is corrected and gets no more value', async () => {
  const { store, sales } = await buildCallers()
  const { id } = await buildVoucher(store, { amountMinor: 5_000n })
  const change = async (body: object) => {
    const { status, error_code } = await request(`PATCH /admin/vouchers/${id}`, { token: sales, body })
    return error_code ?? status
  }

  assert.equal(await change({ amount: 50.01 }), 'order.refund_forbidden')
  assert.equal(await change({ amount: 50 }), 200)
  assert.equal(await change({ amount: 40, to_name: 'Grace B. Hopper' }), 200)
  assert.equal(await change({ is_active: false }), 200)
  assert.equal(await change({ is_active: true }), 'order.refund_forbidden')
})

test('without the right to refund an expired voucher stays expired', async () => {
  const store = await buildStore()
  const { id } = await buildVoucher(store, { expiresAt: inMs(DAY_MS) })
  moveClock(2 * DAY_MS)
  const extend = async (role: string, expires_at: string | null) => {
    const { token } = await buildStaff(store, { role })
    const { status, error_code } = await request(`PATCH /admin/vouchers/${id}`, {
      token,
      body: { expires_at },
    })
    return error_code ?? status
  }

  for (const end of [null, inMs(DAY_MS).toISOString()])
    assert.equal(await extend('sales', end), 'order.refund_forbidden')
  assert.equal(await extend('accounting', null), 200)
})

test('without the right to refund a voucher expires earlier and never later', async () => {
  const { store, sales, accounting } = await buildCallers()
  const { id } = await buildVoucher(store, { expiresAt: inMs(2 * DAY_MS) })
  const expire = async (token: string, expires_at: string | null) => {
    const { status, error_code } = await request(`PATCH /admin/vouchers/${id}`, {
      token,
      body: { expires_at },
    })
    return error_code ?? status
  }
  const [tomorrow, later] = [inMs(DAY_MS).toISOString(), inMs(3 * DAY_MS).toISOString()]

  for (const end of [later, null]) assert.equal(await expire(sales, end), 'order.refund_forbidden')
  assert.equal(await expire(sales, tomorrow), 200)
  assert.equal(await expire(sales, tomorrow), 200, 'the same end adds nothing')
  assert.equal(await expire(sales, inMs(2 * DAY_MS).toISOString()), 'order.refund_forbidden')
  assert.equal(await expire(accounting, null), 200)
})

test('a support session reads the end of a code only, also with consent', async () => {
  const { store, owner, token, allow } = await buildSupport()
  await allow()
  const { id, code } = await buildVoucher(store)
  const own = await request(`GET /admin/vouchers/${id}`, { token: owner.token })
  const masked = `…${code.slice(-4)}`

  const read = await request(`GET /admin/vouchers/${id}`, { token })
  const listed = await request('GET /admin/vouchers', { token })
  const sent = await request(`POST /admin/vouchers/${id}/send`, { token, body: {} })

  assert.equal(own.data.code, code)
  assert.deepEqual(
    { read: read.data.code, listed: listed.data[0].code, sent: sent.data.code },
    { read: masked, listed: masked, sent: masked },
  )
  for (const answer of [read, listed, sent]) assert.ok(!JSON.stringify(answer.data).includes(code))
})
