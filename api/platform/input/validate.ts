import { Ajv, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import { EMPTY_IS_ABSENT, EMPTY_IS_NULL } from '#shared/platform/http/schema.ts'
import type { Fault } from '#shared/platform/validation.ts'
import { type RequestPart, RequestValidationError } from './request-part.ts'
import { toFault } from './to-fault.ts'

// A body of a megabyte can hold a quarter of a million faults.
const MAX_FAULTS = 20

const addFormats = addFormatsModule as unknown as FormatsPlugin
const options = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  verbose: true,
} as const
/** Sets a field that a request leaves empty to null: see `Clearable`. */
function clearEmpty(_: unknown, text: string, __: unknown, place?: DataValidationCxt): true {
  if (text === '' && place) place.parentData[place.parentDataProperty] = null
  return true
}

/** Removes a field that a request leaves empty: see `Omittable`. */
function removeEmpty(_: unknown, text: string | null, __: unknown, place?: DataValidationCxt): true {
  if (!text && place) delete place.parentData[place.parentDataProperty]
  return true
}

const bodies = addFormats(new Ajv({ ...options }))
/** Path, query and header values arrive as text. */
const texts = addFormats(new Ajv({ ...options, coerceTypes: true }))
for (const ajv of [bodies, texts]) {
  ajv.addKeyword('example')
  ajv.addKeyword({
    keyword: EMPTY_IS_NULL,
    type: 'string',
    modifying: true,
    errors: false,
    validate: clearEmpty,
  })
  ajv.addKeyword({
    keyword: EMPTY_IS_ABSENT,
    type: ['string', 'null'],
    modifying: true,
    errors: false,
    validate: removeEmpty,
  })
  for (const [format, isKnown] of [
    ['date-time', (text: string) => isRepresentable(text)],
    ['date', (text: string) => isRepresentable(`${text}T00:00:00Z`)],
  ] as const) {
    const isWritten = ajv.formats[format] as { validate: (text: string) => boolean }
    ajv.addFormat(format, (text: string) => isWritten.validate(text) && isKnown(text))
  }
}

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const FAR_OFFSET = /[+-](1[6-9]|2\d)(:?\d\d)?$/

/** Whether JavaScript and PostgreSQL can both represent the time: no leap second, no year 0, no offset of 16 hours. */
const isRepresentable = (text: string): boolean => {
  const at = Date.parse(text)
  return at >= FIRST && at <= LAST && !FAR_OFFSET.test(text)
}

export interface PartCheck {
  part: RequestPart
  compiled(): ValidateFunction
}

/**
 * Prepares the check of one part of a request. It fills in defaults, and coerces the text of path and query. The first
 * request compiles it: compiling all of them would take a fifth of a process's start.
 */
export function prepareCheck(part: RequestPart, schema: TSchema): PartCheck {
  let check: ValidateFunction | undefined
  return {
    part,
    compiled() {
      check ??= (part === 'body' ? bodies : texts).compile(schema)
      return check
    },
  }
}

/** The faults of one part against its schema, at most 20. */
export function faultsOf({ part, compiled }: PartCheck, value: unknown): Fault[] {
  const check = compiled()
  if (check(value)) return part === 'body' ? [] : infiniteNumbers(part, value as object)
  return (check.errors ?? [])
    .filter((error) => error.keyword !== 'if' && error.keyword !== 'anyOf')
    .slice(0, MAX_FAULTS)
    .map((error) => toFault(part, error))
}

// Ajv reads the text 1e400 as Infinity, which passes every minimum.
const infiniteNumbers = (part: RequestPart, value: object): Fault[] =>
  Object.entries(value)
    .filter(([, number]) => typeof number === 'number' && !Number.isFinite(number))
    .map(([name]) => ({ loc: [part, name], msg: 'Input should be a finite number', type: 'finite_number' }))

/** Throws the faults as one 422, if there are any. */
export function throwFaults(faults: Fault[]): void {
  if (faults.length) throw new RequestValidationError(faults.slice(0, MAX_FAULTS))
}
