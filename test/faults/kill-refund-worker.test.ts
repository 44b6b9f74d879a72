import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KillReport, runKills } from './kill-run.ts'

const CLEAN = {
  doubled: 0,
  missing: 0,
  wrongTotals: 0,
  unsettled: 0,
  wronglyPublished: 0,
  lostEvents: 0,
  discrepancies: 0,
}

const faultsOf = ({ kills, seconds, orders, refunds, ...faults }: KillReport) => faults

test('15 workers killed around the gateway call: each refund is made, counted and published once', async () => {
  const report = await runKills({ kills: 15 })

  assert.deepEqual(faultsOf(report), CLEAN)
  for (const [point, times] of Object.entries(report.kills)) assert.ok(times >= 3, `${times} ${point}`)
})

test('control: a gateway that ignores idempotency keys makes some refunds twice', async () => {
  const report = await runKills({ kills: 6, ignoreIdempotencyKeys: true })

  assert.ok(report.doubled > 0)
  assert.ok(report.wrongTotals > 0)
})
