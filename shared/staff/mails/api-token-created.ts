import { type Static, Type } from 'typebox'
import { deviceBlock, deviceProperties } from '#shared/identity/mails/device.ts'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const ApiTokenCreated = Shape({
  /** The recipient created it. To the owner, the device is null. */
  is_own: Type.Boolean(),
  /** The address of who created it. */
  created_by: Type.String(),
  name: Type.String(),
  rights: Type.Array(Type.String()),
  expires_at: Nullable(Timestamp),
  ...deviceProperties,
})
type Data = Static<typeof ApiTokenCreated>

const WORDS = {
  en: { name: 'Name', rights: 'Rights', expires: 'Expires', never: 'never', none: 'none', time: 'Time' },
  de: { name: 'Name', rights: 'Rechte', expires: 'Läuft ab', never: 'nie', none: 'keine', time: 'Zeit' },
}

const tokenBlock = (language: MailLanguage, site: Site, { name, rights, expires_at }: Data): Block => {
  const words = WORDS[language]
  return {
    facts: [
      [words.name, name],
      [words.rights, rights.join(', ') || words.none],
      [words.expires, expires_at ? formatTime(site, expires_at) : words.never],
    ],
  }
}

/** Returns the time, and the device if it is the recipient's. */
const originBlock = (language: MailLanguage, site: Site, data: Data): Block =>
  data.is_own
    ? deviceBlock(language, site, data)
    : { facts: [[WORDS[language].time, formatTime(site, data.at)]] }

/** Notifies of a new API token who created it, and the store's owner. The token is not in the mail. */
export const apiTokenCreatedMail = defineMail('api-token-created', ApiTokenCreated, {
  en: (data, site) => ({
    subject: `New API token at ${site.name}`,
    blocks: [
      data.is_own
        ? `An API token was created with your account at ${site.name}. It works until it expires or is revoked.`
        : `${data.created_by} created an API token at ${site.name}. It works until it expires or is revoked.`,
      tokenBlock('en', site, data),
      originBlock('en', site, data),
      data.is_own
        ? 'If that was not you, change your password immediately and revoke the token: another password does not end ' +
          'it.'
        : 'If you did not expect that, revoke the token in the administration of the store.',
    ],
  }),
  de: (data, site) => ({
    subject: `Neues API-Token bei ${site.name}`,
    blocks: [
      data.is_own
        ? `Mit Ihrem Konto bei ${site.name} wurde ein API-Token angelegt. Es gilt bis zum Ablauf oder Widerruf.`
        : `${data.created_by} hat bei ${site.name} ein API-Token angelegt. Es gilt bis zum Ablauf oder Widerruf.`,
      tokenBlock('de', site, data),
      originBlock('de', site, data),
      data.is_own
        ? 'Waren Sie das nicht, ändern Sie sofort Ihr Passwort und widerrufen Sie das Token: Ein anderes Passwort ' +
          'beendet es nicht.'
        : 'Haben Sie das nicht erwartet, widerrufen Sie das Token in der Verwaltung des Shops.',
    ],
  }),
})
