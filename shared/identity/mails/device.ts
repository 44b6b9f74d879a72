import { Type } from 'typebox'
import type { Device } from '#shared/identity/device.ts'
import type { MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Timestamp } from '#shared/platform/http/schema.ts'
import { now } from '#shared/platform/time/clock.ts'
import { nameDevice } from './name-device.ts'

/** The time and device of an action on an account, in words that its owner understands. */
export const deviceProperties = {
  at: Timestamp,
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
}

const WORDS = {
  en: { at: 'Time', ip: 'Internet address', device: 'Device', unknown: 'unknown' },
  de: { at: 'Zeit', ip: 'Internetadresse', device: 'Gerät', unknown: 'unbekannt' },
}

interface DeviceFacts {
  at: string
  ip: string | null
  user_agent: string | null
}

/** Returns a device as a mail about a recent action describes it. */
export const deviceFacts = ({ ip, userAgent }: Device): DeviceFacts => ({
  at: now().toISOString(),
  ip,
  user_agent: userAgent,
})

/** Returns the time of an action without its device. */
export const timeBlock = (language: MailLanguage, site: Site, { at }: Pick<DeviceFacts, 'at'>): Block => ({
  facts: [[WORDS[language].at, formatTime(site, at)]],
})

export const deviceBlock = (
  language: MailLanguage,
  site: Site,
  { at, ip, user_agent }: DeviceFacts,
): Block => {
  const words = WORDS[language]
  return {
    facts: [
      [words.at, formatTime(site, at)],
      [words.ip, ip ?? words.unknown],
      [words.device, user_agent ? nameDevice(user_agent) : words.unknown],
    ],
  }
}
