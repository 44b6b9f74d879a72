import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { resetConfig } from '#shared/platform/config/config.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { withWorker } from '#test/support/processes/with-worker.ts'
import { until } from '#test/support/races/until.ts'

const usual = process.env.WORKER_WAIT_MS
after(() => waitAtMost(usual ?? ''))

function waitAtMost(ms: string): void {
  process.env.WORKER_WAIT_MS = ms
  resetConfig()
}

test('after two timed-out waits for the gateway a checkout does not wait until the gateway responds again', async () => {
  const shop = await buildShop()
  const buy = async () => {
    const cart = await fillCart(shop.store, shop.variantId)
    return (await checkOut(shop, { cart, waitForPayment: true })).data.payment
  }
  const pending = { status: 'pending' }
  waitAtMost('100')
  assert.partialDeepStrictEqual(await buy(), pending)
  assert.partialDeepStrictEqual(await buy(), pending)

  // Longer than the test may take: a checkout that waited would end it.
  waitAtMost('3600000')
  assert.partialDeepStrictEqual(await buy(), pending)
  assert.partialDeepStrictEqual(await buy(), pending)

  await drainJobs()
  await until('a checkout waits for its payment', async () => {
    const payment = await withWorker(buy())
    return payment.client_secret !== undefined
  })
})
