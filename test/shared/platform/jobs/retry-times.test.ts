import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processImage, removeImageFiles } from '#shared/images/jobs.ts'
import { detachCard, importGatewayHistory } from '#shared/payments/jobs.ts'
import type { QueueRules } from '#shared/platform/jobs/define-job.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { stopDisputedSubscriptions } from '#shared/subscriptions/jobs.ts'

/** The hours from the first attempt of a job to its last. */
function hoursOf({ retries, retryDelaySeconds, retryDelayMaxSeconds }: QueueRules): number {
  const pauses = Array.from({ length: retries }, (_, n) =>
    Math.min(retryDelaySeconds * 2 ** n, retryDelayMaxSeconds),
  )
  return pauses.reduce((sum, pause) => sum + pause, 0) / 3_600
}

const LONG = [
  processImage,
  removeImageFiles,
  detachCard,
  importGatewayHistory,
  sendRefund,
  stopDisputedSubscriptions,
]

for (const { queue, rules } of LONG)
  test(`${queue}, whose work nothing else repeats, is retried for half a day`, () => {
    assert.ok(hoursOf(rules) >= 12, `${hoursOf(rules)} hours`)
  })
