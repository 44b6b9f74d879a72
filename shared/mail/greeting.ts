import type { MailLanguage } from './define-mail.ts'
import type { Block } from './letter.ts'

const GREETING = { en: 'Hello', de: 'Guten Tag' } as const satisfies Record<MailLanguage, string>

/** Returns the first paragraph of a mail: a greeting by first name. */
export const greeting = (language: MailLanguage, { firstname }: { firstname: string }): Block =>
  `${GREETING[language]} ${firstname},`
