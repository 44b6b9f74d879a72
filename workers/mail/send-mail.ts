import '#shared/all-mails.ts'
import { composeMail } from '#shared/mail/compose-mail.ts'
import { sendMail as job } from '#shared/mail/jobs.ts'
import { now } from '#shared/platform/clock.ts'
import { log } from '#shared/platform/log.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { MailRefusal, mailGateway } from '../gateways/mail.ts'
import { handle } from '../platform/handle.ts'

/**
 * Sends a mail. A worker that dies after the server took it sends it again with the same Message-ID. One that is
 * refused for good is not tried again; one that comes too late, or whose store is gone, is not sent.
 */
export const sendMail = handle(job, async (queued, { signal }) => {
  const { storeId, kind, mailId, goodUntil } = queued
  const store = (await findStoreById(storeId))?.store
  if (!store || store.status === 'deleted') return
  if (goodUntil && new Date(goodUntil) <= now())
    return log.warn({ storeId, mailId, kind }, 'mail came too late')
  try {
    await mailGateway().send(await composeMail(store, queued), signal)
  } catch (error) {
    if (!(error instanceof MailRefusal)) throw error
    log.warn({ err: error, storeId, mailId, kind }, 'mail was refused for good')
  }
})
