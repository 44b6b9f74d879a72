import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChargeKillReport, runChargeKills } from './charge-kill-run.ts'

const CLEAN = { doubled: 0, forgotten: 0, afterCancel: 0, wrongTotals: 0, discrepancies: 0 }

const faultsOf = ({ kills, seconds, subscriptions, charges, canceled, ...faults }: ChargeKillReport) => faults

test('9 workers killed around the charge of a saved card: each charge is made once', async () => {
  const report = await runChargeKills({ kills: 9 })

  assert.deepEqual(faultsOf(report), CLEAN)
  assert.ok(report.canceled > 0)
  const { anywhere: _, ...around } = report.kills
  for (const [point, times] of Object.entries(around)) assert.ok(times >= 2, `${times} ${point}`)
})

test('control: a gateway that ignores idempotency keys charges some cards twice', async () => {
  const report = await runChargeKills({ kills: 9, ignoreIdempotencyKeys: true })

  assert.ok(report.doubled > 0)
})
