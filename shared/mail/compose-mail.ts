import { Check } from 'typebox/schema'
import { config } from '#shared/platform/config/config.ts'
import type { JobPayload } from '#shared/platform/jobs/define-job.ts'
import type { Store } from '#shared/stores/store.ts'
import { MAIL_LANGUAGES, mailKinds, mailLanguage } from './define-mail.ts'
import type { sendMail, sendPlatformMail } from './jobs.ts'
import { mailSecrets } from './queue-mail.ts'
import { type RenderedLetter, renderLetter } from './render-letter.ts'
import { platformSite, type Site, siteOf } from './site.ts'

/** A mail that is ready to send. */
export interface ComposedMail extends RenderedLetter {
  /** The same in every attempt to send it: as the Message-ID, it shows mail programs a repeat. */
  id: string
  to: string
  /** The display name of the sender's address. */
  sender: string
  replyTo: string
  language: string
}

/** Composes a queued mail in the store's name and the recipient's language. */
export async function composeMail(store: Store, queued: JobPayload<typeof sendMail>): Promise<ComposedMail> {
  const language = mailLanguage(queued.language ?? store.defaultLanguage)
  return compose(await siteOf(store, language), store.email, queued)
}

/** Composes a queued mail to a super-admin. */
export const composePlatformMail = (queued: JobPayload<typeof sendPlatformMail>): ComposedMail =>
  compose(platformSite(MAIL_LANGUAGES[0]), config().MAIL_FROM ?? '', queued)

function compose(
  site: Site,
  replyTo: string,
  queued: JobPayload<typeof sendMail | typeof sendPlatformMail>,
): ComposedMail {
  const { mailId: id, kind, to, sealed } = queued
  const definition = mailKinds().get(kind)
  if (!definition) throw new Error(`Unknown mail ${kind}`)
  const data: unknown = JSON.parse(mailSecrets.of(queued).open(sealed))
  if (!Check(definition.data, data)) throw new Error(`The mail ${kind} has invalid data`)
  const { name: sender } = site
  const language = mailLanguage(site.language)
  const letter = definition.write[language](data, site)
  return { id, to, sender, replyTo, language, ...renderLetter(letter, site) }
}
