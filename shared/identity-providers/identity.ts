import { Check } from 'typebox/schema'
import { CONTROL_CHARACTERS, Email } from '#shared/platform/http/schema.ts'
import { OauthErrors } from './errors.ts'

/** A person's identity at a provider. */
export interface Identity {
  /** The provider never reassigns it (OpenID Connect Core, section 2). */
  subject: string
  /** The e-mail address, if the provider has verified it; else null. */
  verifiedEmail: string | null
  firstname: string
  lastname: string
}

const SUBJECT = /^[\x20-\x7e]{1,255}$/
const MAX_NAME_LENGTH = 100
// Also replaces characters that the database refuses.
const UNSAFE = new RegExp(`[${CONTROL_CHARACTERS}\\p{Cs}]`, 'gu')

/** Parses a provider's claims. They are untrusted: values that cannot be stored are omitted. */
export function readIdentity(claims: Readonly<Record<string, unknown>>): Identity {
  const { sub, name, given_name: given, family_name: family } = claims
  if (typeof sub !== 'string' || !SUBJECT.test(sub)) throw OauthErrors.answerInvalid()
  const verifiedEmail = verifiedEmailOf(claims)
  const firstname = nameOf(given) || nameOf(name) || nameOf(verifiedEmail?.split('@')[0])
  return { subject: sub, verifiedEmail, firstname, lastname: nameOf(given) ? nameOf(family) : '' }
}

function verifiedEmailOf({ email, email_verified: verified }: Readonly<Record<string, unknown>>) {
  // Some providers write booleans as text.
  if (verified !== true && verified !== 'true') return null
  return Check(Email, email) ? email : null
}

const nameOf = (claim: unknown): string =>
  typeof claim === 'string' ? claim.replace(UNSAFE, ' ').trim().slice(0, MAX_NAME_LENGTH).toWellFormed() : ''
