import type { Static, TSchema } from 'typebox'
import type { Letter } from './letter.ts'
import type { Site } from './site.ts'

/** The languages of mails. The first is used for all other languages. */
export const MAIL_LANGUAGES = ['en', 'de'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** A mail: its name, the schema of its data, and its text in each language. */
export interface MailDefinition<D extends TSchema = TSchema> {
  name: string
  data: D
  write: Record<MailLanguage, (data: Static<D>, site: Site) => Letter>
}

const kinds = new Map<string, MailDefinition>()

/** Defines a mail. Each domain defines its own. */
export function defineMail<D extends TSchema>(
  name: string,
  data: D,
  write: MailDefinition<D>['write'],
): MailDefinition<D> {
  if (kinds.has(name)) throw new Error(`The mail ${name} is defined twice`)
  const definition = { name, data, write }
  kinds.set(name, definition as unknown as MailDefinition)
  return definition
}

/** Returns the mails of all loaded modules by name. shared/all-mails.ts loads all of them. */
export const mailKinds = (): ReadonlyMap<string, MailDefinition> => kinds

/** Maps a BCP 47 tag to a language of mails: `de-AT` to `de`. */
export function mailLanguage(tag: string): MailLanguage {
  const [primary] = tag.toLowerCase().split('-')
  return MAIL_LANGUAGES.find((language) => language === primary) ?? MAIL_LANGUAGES[0]
}
