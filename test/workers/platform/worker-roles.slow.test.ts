import '#test/support/database.ts'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allJobs } from '#shared/all-jobs.ts'
import { readConfig } from '#shared/platform/config/config.ts'
import { WORKER_ROLES } from '#shared/platform/config/environment.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { rollUpFigures } from '#shared/super-admin/jobs.ts'
import { recoverDeliveries } from '#shared/webhooks/jobs.ts'
import { startWorkerProcess } from '#test/support/processes/worker-process.ts'
import { until } from '#test/support/races/until.ts'
import { handlersByRole } from '#workers/handlers.ts'

test('every job belongs to one role', () => {
  const handled = Object.values(handlersByRole).flatMap((handlers) => handlers.map(({ job }) => job.queue))

  assert.deepEqual(handled.toSorted(), allJobs.map(({ queue }) => queue).toSorted())
})

test('the roles in the Procfile cover every job', async () => {
  const procfile = await readFile('Procfile', 'utf8')
  const named = [...procfile.matchAll(/WORKER_QUEUES=(\S+)/g)].flatMap(([, roles]) => roles?.split(','))

  assert.deepEqual(named.toSorted(), WORKER_ROLES.toSorted())
})

test('an unknown role is refused at the start', () => {
  assert.throws(() => readConfig({ ...process.env, WORKER_QUEUES: 'money,mails' }), /WORKER_QUEUES/)
})

test('a worker process runs the jobs of its roles, and leaves the others', async (t) => {
  const boss = await queues()
  const [ofBulk, ofMoney] = [rollUpFigures.queue, recoverDeliveries.queue]
  const moneyJob = await boss.send(ofMoney, {})
  const bulkJob = await boss.send(ofBulk, {})
  assert.ok(moneyJob && bulkJob)
  const stateOf = async (queue: string, id: string) => (await boss.findJobs(queue, { id }))[0]?.state

  await startWorkerProcess(t, { WORKER_QUEUES: 'bulk' })
  await until('the job of its role is done', async () => (await stateOf(ofBulk, bulkJob)) === 'completed')
  assert.equal(await stateOf(ofMoney, moneyJob), 'created')

  await startWorkerProcess(t, { WORKER_QUEUES: 'money,mail-and-webhooks' })
  await until('the other job is done', async () => (await stateOf(ofMoney, moneyJob)) === 'completed')
})
