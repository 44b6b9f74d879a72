import { SECOND_MS } from '#shared/platform/time/clock.ts'
import type { CardDetails } from '#workers/gateways/payments.ts'

// Stripe promises ids of at most 255 characters. Client secrets consist of an id and some 30 characters.
const MAX_REFERENCE_LENGTH = 255
const MAX_SECRET_LENGTH = 500
const MAX_TEXT_LENGTH = 1_000
const MAX_BRAND_LENGTH = 50
/** The end of the year 9999 in Unix time. */
const LAST_SECOND = 253_402_300_799

/*
 * Values of the gateway's responses and notifications. Its library checks none of them. A value of the wrong kind
 * throws: the outcome is unknown, and the job is repeated.
 */

/** Returns the id of an object at the gateway. */
export const toReference = (id: unknown): string => assertText(id, 'id', MAX_REFERENCE_LENGTH)

/** Returns the client secret of an intent. */
export const toSecret = (secret: unknown): string => assertText(secret, 'client secret', MAX_SECRET_LENGTH)

/** Returns a text for people, shortened; null without one. */
export const toShortText = (text: unknown): string | null =>
  typeof text === 'string' ? text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\0', '') : null

/** Returns a time as Unix time in seconds, rounded down. */
export const toUnix = (time: Date): number => Math.floor(time.getTime() / SECOND_MS)

/** Returns the time of a Unix time in seconds. */
export function toTime(seconds: unknown): Date {
  if (!Number.isSafeInteger(seconds) || Math.abs(Number(seconds)) > LAST_SECOND)
    throw new Error('The gateway sent an invalid time')
  return new Date(Number(seconds) * SECOND_MS)
}

/** Returns the details of a card that are shown to its owner. */
export function toCardDetails(
  card: Record<'brand' | 'last4' | 'exp_month' | 'exp_year', unknown>,
): CardDetails {
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = card
  const isExpiry = isBetween(1, 12, expMonth) && isBetween(1_970, 9_999, expYear)
  if (!isExpiry || typeof last4 !== 'string' || !/^\d{4}$/.test(last4))
    throw new Error('The gateway sent an invalid card')
  return { brand: assertText(brand, 'brand of a card', MAX_BRAND_LENGTH), last4, expMonth, expYear }
}

const isBetween = (least: number, most: number, value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most

/** Throws unless the gateway sent an amount of a currency in whole units. */
export function assertMoney(units: unknown, currency: unknown): void {
  const isCurrency = typeof currency === 'string' && /^[a-z]{3}$/i.test(currency)
  if (!Number.isSafeInteger(units) || Number(units) < 0 || !isCurrency)
    throw new Error('The gateway sent an invalid amount of money')
}

/** Returns an object of the gateway. Throws if it is not the one that was asked for. */
export function assertSameId<T extends { id: unknown }>(reference: string, object: T): T {
  if (object.id !== reference) throw new Error(`The gateway sent another object than ${reference}`)
  return object
}

function assertText(text: unknown, kind: string, maxLength: number): string {
  if (typeof text !== 'string' || text === '' || text.length > maxLength)
    throw new Error(`The gateway sent an invalid ${kind}`)
  return text
}
