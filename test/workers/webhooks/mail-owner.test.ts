import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import '#test/support/database.ts'
import { startReceiver } from '#test/sandbox/receiver.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildWebhook, moveParcel } from '#test/support/builders/webhooks.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const receiver = await startReceiver()
after(() => receiver.stop())

test('the owner gets one mail when a webhook is disabled', async () => {
  const store = await buildStore()
  const owner = await buildStaff(store, { role: 'owner' })
  await buildWebhook(store, { url: receiver.hookUrl('gone') })
  receiver.behave('gone', { status: 410 })

  await moveParcel(store, 1)
  await drainJobs()

  const [mail, ...more] = mailbox.mails(owner.email)
  assert.match(mail?.subject ?? '', /webhook .* switched off/)
  assert.match(mail?.text ?? '', /\/hooks\/gone/)
  assert.deepEqual(more, [])
})
