import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { createImage, MAX_WAITING_IMAGES } from '#shared/images/create-image.ts'
import { processImage } from '#shared/images/jobs.ts'
import { readHeader } from '#shared/images/read-header.ts'
import { MAIL_BACKLOG } from '#shared/mail/mail-backlog.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { MAX_WAITING_VERIFICATIONS } from '#shared/stores/domains/verification.ts'
import { verifyDomain } from '#shared/stores/jobs.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { drawPicture } from '#test/support/builders/images.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { fillQueue } from '#test/support/faults/fill-queue.ts'
import { fillMailQueue } from '#test/support/faults/mail-backlog.ts'
import { request } from '#test/support/processes/app.ts'

// Fetching from a queue passes over all jobs of a store that is at its limit, so a backlog delays the other stores.

async function scene() {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  return { store, ask: (line: string, body?: object) => request(line, { token, ...(body ? { body } : {}) }) }
}

test('an upload fails with 429 while too many images of the store wait', async () => {
  const [full, other] = [await buildStore(), await buildStore()]
  const picture = await drawPicture({ width: 8, height: 8 })
  const upload = (store: { id: string }) =>
    inStore(store.id, (tx) => createImage(tx, readHeader(picture), picture))
  await fillQueue(processImage.queue, full, MAX_WAITING_IMAGES)

  await assert.rejects(upload(full), { code: 'rate_limit.exceeded' })
  assert.equal((await upload(other)).status, 'processing')
})

test('a verification of a domain returns 429 while too many of the store wait', async () => {
  const { store, ask } = await scene()
  const { data } = await ask('POST /admin/domains', { domain: `shop-${nextNumber()}.example` })
  await fillQueue(verifyDomain.queue, store, MAX_WAITING_VERIFICATIONS)

  const { status, error_code, headers } = await ask(`POST /admin/domains/${data.id}/verify`)

  assert.deepEqual({ status, error_code }, { status: 429, error_code: 'rate_limit.exceeded' })
  assert.equal(headers.get('retry-after'), '10')
})

test('an invitation returns 429 while too many mails of the store wait', async () => {
  const { store, ask } = await scene()
  const invite = () =>
    ask('POST /admin/users', {
      email: `new-${nextNumber()}@example.test`,
      firstname: 'A',
      lastname: 'B',
      role: 'sales',
    })
  await fillMailQueue(store, MAIL_BACKLOG)
  const withBacklog = await invite()
  await fillMailQueue(store, MAIL_BACKLOG)

  const refused = await invite()

  assert.equal(withBacklog.status, 201)
  assert.equal(refused.error_code, 'rate_limit.exceeded')
})
