import type { Static, TSchema } from 'typebox'
import type { Letter } from './letter.ts'
import type { Site } from './site.ts'

/** The languages that mails are written in; the first stands in for all others. */
export const MAIL_LANGUAGES = ['en', 'de'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** A kind of mail: its name, the shape of its data, and what it says in each language. */
export interface MailDefinition<D extends TSchema = TSchema> {
  name: string
  data: D
  write: Record<MailLanguage, (data: Static<D>, site: Site) => Letter>
}

const kinds = new Map<string, MailDefinition>()

/** Declares a kind of mail. The domain whose news it brings does so, in its `mails.ts`. */
export function defineMail<D extends TSchema>(
  name: string,
  data: D,
  write: MailDefinition<D>['write'],
): MailDefinition<D> {
  if (kinds.has(name)) throw new Error(`The mail ${name} is declared twice`)
  const definition = { name, data, write }
  kinds.set(name, definition as unknown as MailDefinition)
  return definition
}

/** Every kind of mail declared by the modules loaded so far, by name. shared/all-mails.ts loads them all. */
export const mailKinds = (): ReadonlyMap<string, MailDefinition> => kinds

/** The mail language for a BCP 47 tag: `de-AT` is written in `de`. */
export function mailLanguage(tag: string): MailLanguage {
  const [primary] = tag.toLowerCase().split('-')
  return MAIL_LANGUAGES.find((language) => language === primary) ?? MAIL_LANGUAGES[0]
}
