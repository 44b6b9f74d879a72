import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildStore } from '#test/support/builders/store.ts'
import { openInstallation } from './installation.ts'
import { restartUnderLoad } from './rolling-restart.ts'

const RESTARTS = 4

test('web processes restart under load without a broken request; without a delay, requests break', async () => {
  await using installation = await openInstallation({ durable: false })
  const { key } = await buildStore()
  const load = {
    restarts: RESTARTS,
    path: '/api/v1/settings/store-info',
    headers: { 'X-Service-Key': key },
  }

  const { answered, ...delayed } = await restartUnderLoad(
    { ...installation.env, STOP_DELAY_MS: '3000' },
    load,
  )
  const control = await restartUnderLoad({ ...installation.env, STOP_DELAY_MS: '0' }, load)

  assert.ok(answered > 0)
  assert.deepEqual(delayed, { broken: [], exitCodes: Array(RESTARTS).fill(0) })
  assert.ok(control.broken.length > 0)
})
