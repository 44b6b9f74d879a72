import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import type { TSchema } from 'typebox'
import { EMPTY_IS_ABSENT, EMPTY_IS_NULL } from '#shared/platform/http/schema.ts'
import type { Fault } from '#shared/platform/validation.ts'
import { type RequestPart, RequestValidationError } from './request-part.ts'
import { holdsAtMost } from './text.ts'
import { toFault } from './to-fault.ts'

const MAX_FAULTS = 20

/**
 * A value with more values inside than this gets only its first fault. A megabyte can have a quarter of a million
 * faults, and collecting them would block the process for seconds.
 */
const ALL_FAULTS_WITHIN = 1_000

const addFormats = addFormatsModule as unknown as FormatsPlugin
const options = {
  useDefaults: true,
  strict: true,
  strictTypes: false,
  verbose: true,
  // V8 makes the compiled checks equally fast without Ajv's own optimization, which takes 40 % of the compilation.
  code: { optimize: false },
} as const

/** Sets an empty field of a request to null (see `Clearable`). */
function clearEmpty(_: unknown, text: string, __: unknown, place?: DataValidationCxt): true {
  if (text === '' && place) place.parentData[place.parentDataProperty] = null
  return true
}

/** Removes an empty field of a request (see `Omittable`). */
function removeEmpty(_: unknown, text: string | null, __: unknown, place?: DataValidationCxt): true {
  if (!text && place) delete place.parentData[place.parentDataProperty]
  return true
}

// Limit the length, because a time may have any number of decimals.
const MAX_TIME_LENGTH = 64

/** Creates the compilers of checks: those of `first` stop at the first fault, those of `all` find every fault. */
const compilers = (more: { coerceTypes?: true }) => ({
  first: addFormats(new Ajv({ ...options, ...more })),
  all: addFormats(new Ajv({ ...options, ...more, allErrors: true })),
})
const bodies = compilers({})
/** Path, query and header values arrive as text. */
const texts = compilers({ coerceTypes: true })
for (const ajv of [bodies, texts].flatMap(({ first, all }) => [first, all])) {
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
  limitFormat(ajv, 'date-time', (text) => isRepresentable(text))
  limitFormat(ajv, 'date', (text) => isRepresentable(`${text}T00:00:00Z`))
}

/** Makes a format of times accept only short texts that `isAllowed` accepts, too. */
function limitFormat(ajv: Ajv, format: 'date-time' | 'date', isAllowed: (text: string) => boolean): void {
  const { validate: hasFormat } = ajv.formats[format] as { validate: (text: string) => boolean }
  ajv.addFormat(
    format,
    (text: string) => text.length <= MAX_TIME_LENGTH && hasFormat(text) && isAllowed(text),
  )
}

const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const FAR_OFFSET = /[+-](1[6-9]|2\d)(:?\d\d)?$/

/**
 * Whether both JavaScript and PostgreSQL can represent the time. It excludes leap seconds, the year 0 and offsets of 16
 * hours.
 */
const isRepresentable = (text: string): boolean => {
  const at = Date.parse(text)
  return at >= FIRST && at <= LAST && !FAR_OFFSET.test(text)
}

export interface PartCheck {
  part: RequestPart
  /** Stops at the first fault. */
  first(): ValidateFunction
  /** Finds every fault. */
  all(): ValidateFunction
}

/**
 * Prepares the check of one part of a request. The check fills in defaults, and converts the text of path and query.
 * Its first use compiles it. The compilers cache checks by their schema, so a process compiles each schema once.
 */
export function prepareCheck(part: RequestPart, schema: TSchema): PartCheck {
  const { first, all } = part === 'body' ? bodies : texts
  const compiled: Partial<Record<'first' | 'all', ValidateFunction>> = {}
  return {
    part,
    first: () => (compiled.first ??= first.compile(schema)),
    all: () => (compiled.all ??= all.compile(schema)),
  }
}

/** Returns at most 20 faults of one part against its schema; for a large value only the first. */
export function faultsOf({ part, first, all }: PartCheck, value: unknown): Fault[] {
  const errors = errorsOf(first(), value)
  if (errors.length === 0) return part === 'body' ? [] : infiniteNumbers(part, value as object)
  const reported = holdsAtMost(ALL_FAULTS_WITHIN, value) ? errorsOf(all(), value) : errors
  return reported
    .filter((error) => error.keyword !== 'if' && error.keyword !== 'anyOf')
    .slice(0, MAX_FAULTS)
    .map((error) => toFault(part, error))
}

/** Returns the errors of a value against a check. The check does not keep them, because they contain the value. */
function errorsOf(check: ValidateFunction, value: unknown): ErrorObject[] {
  check(value)
  const errors = check.errors ?? []
  check.errors = null
  return errors
}

// Returns faults for infinite numbers. Ajv reads the text 1e400 as Infinity, which passes every minimum.
const infiniteNumbers = (part: RequestPart, value: object): Fault[] =>
  Object.entries(value)
    .filter(([, number]) => typeof number === 'number' && !Number.isFinite(number))
    .map(([name]) => ({ loc: [part, name], msg: 'Input should be a finite number', type: 'finite_number' }))

/** Throws the faults as one 422, if there are any. */
export function throwFaults(faults: Fault[]): void {
  if (faults.length) throw new RequestValidationError(faults.slice(0, MAX_FAULTS))
}
