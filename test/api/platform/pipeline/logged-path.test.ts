import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from 'prom-client'
import { loggedPath } from '#api/platform/pipeline/logged-path.ts'
import { newId } from '#shared/platform/db/id.ts'
import { accessLog, log } from '#shared/platform/log.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'

test('a path has no query', () => {
  assert.equal(loggedPath('/api/v1/orders/lookup?token=cx_1'), '/api/v1/orders/lookup')
})

test('the path after a voucher is masked, except ids and the segments after them', () => {
  const id = newId()

  assert.equal(loggedPath('/api/v1/vouchers/7K3M-9QXZ'), '/api/v1/vouchers/…')
  assert.equal(loggedPath('/api/v1/Voucher/7K3M-9QXZ/balance'), '/api/v1/Voucher/…/…')
  assert.equal(loggedPath(`/api/v1/admin/vouchers/${id}/send`), `/api/v1/admin/vouchers/${id}/send`)
  assert.equal(loggedPath('/api/v1/admin/vouchers'), '/api/v1/admin/vouchers')
  assert.equal(loggedPath('/api/v1/voucher-themes'), '/api/v1/voucher-themes')
})

test('encoded addresses are masked, too', () => {
  for (const path of [
    '/v%6Fuchers/7K3M',
    '/vouchers%2F7K3M',
    '/v%256Fuchers/7K3M',
    'http://[::1/vouchers/7K3M',
  ])
    assert.ok(!loggedPath(path).includes('7K3M'), path)
  assert.equal(loggedPath('/%E0%A4%A'), '/%E0%A4%A')
})

test('a path that is percent-encoded many times is masked after a few decodings', (t) => {
  const decode = t.mock.method(globalThis, 'decodeURIComponent')

  assert.equal(loggedPath(`/v%${'25'.repeat(8_000)}6Fuchers/7K3M`), '…')

  assert.ok(decode.mock.callCount() < 10, `${decode.mock.callCount()} times`)
})

test('no log entry and no metric of a request has the code of a voucher', async (t) => {
  const written = [
    t.mock.method(accessLog, 'info'),
    ...(['info', 'warn', 'error'] as const).map((level) => t.mock.method(log, level)),
  ]
  const store = await buildStore()
  const { code } = await buildVoucher(store)

  for (const method of ['GET', 'DELETE', 'POST']) await request(`${method} /vouchers/${code}`, { store })
  await request(`GET /vouchers/${code}/balance`, { store })
  await request(`GET /voucher/${code}?code=${code}`, { store })

  const lines = written.flatMap(({ mock }) => mock.calls.map(({ arguments: line }) => JSON.stringify(line)))
  assert.ok(
    lines.some((line) => line.includes('/vouchers/…')),
    'the request is logged',
  )
  for (const text of [...lines, await register.metrics()]) assert.ok(!text.includes(code), text.slice(0, 500))
})
