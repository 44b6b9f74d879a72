import '#shared/all-mails.ts'
import { type ComposedMail, composeMail, composePlatformMail } from '#shared/mail/compose-mail.ts'
import { sendMail as job, sendPlatformMail as platformJob } from '#shared/mail/jobs.ts'
import { log } from '#shared/platform/log.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { MailRefusal, mailGateway } from '#workers/gateways/mail.ts'
import { handle } from '#workers/platform/handle.ts'

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
  await send(await composeMail(store, queued), { storeId, mailId, kind }, signal)
})

/** Sends a mail to one of those who run the platform. */
export const sendPlatformMail = handle(platformJob, async (queued, { signal }) => {
  const { mailId, kind } = queued
  await send(composePlatformMail(queued), { mailId, kind }, signal)
})

async function send(mail: ComposedMail, facts: object, signal: AbortSignal): Promise<void> {
  try {
    await mailGateway().send(mail, signal)
  } catch (error) {
    if (!(error instanceof MailRefusal)) throw error
    log.warn({ err: error, ...facts }, 'mail was refused for good')
  }
}
