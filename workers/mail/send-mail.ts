import '#shared/all-mails.ts'
import { type ComposedMail, composeMail, composePlatformMail } from '#shared/mail/compose-mail.ts'
import { sendMail as job, sendPlatformMail as platformJob } from '#shared/mail/jobs.ts'
import { log } from '#shared/platform/log.ts'
import { now } from '#shared/platform/time/clock.ts'
import { findStoreById } from '#shared/stores/find-store.ts'
import { MailRefusal, mailGateway } from '#workers/gateways/mail.ts'
import { handle } from '#workers/platform/handle.ts'

/**
 * Sends a mail. If a worker dies after the server accepted the mail, the retry sends it again with the same Message-ID.
 * A permanently refused mail is not retried. Expired mails and mails of deleted stores are not sent.
 */
export const sendMail = handle(job, async (queued, { signal }) => {
  const { storeId, kind, mailId, expiresAt } = queued
  const store = (await findStoreById(storeId))?.store
  if (!store || store.status === 'deleted') return
  if (expiresAt && new Date(expiresAt) <= now())
    return log.warn({ storeId, mailId, kind }, 'mail has expired')
  await send(await composeMail(store, queued), { storeId, mailId, kind }, signal)
})

/** Sends a mail to a super-admin. */
export const sendPlatformMail = handle(platformJob, async (queued, { signal }) => {
  const { mailId, kind } = queued
  await send(composePlatformMail(queued), { mailId, kind }, signal)
})

async function send(mail: ComposedMail, context: object, signal: AbortSignal): Promise<void> {
  try {
    await mailGateway().send(mail, signal)
  } catch (error) {
    if (!(error instanceof MailRefusal)) throw error
    log.warn({ err: error, ...context }, 'mail was permanently refused')
  }
}
