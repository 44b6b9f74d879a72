import type { ErrorObject } from 'ajv'
import { isSecretField } from '#shared/platform/secrets/secret-field.ts'
import type { Fault } from '#shared/platform/validation.ts'
import type { RequestPart } from './request-part.ts'

type Translated = [type: string, msg: string, ctx?: Record<string, unknown>]

/** Converts an Ajv error to a fault in Pydantic 2's vocabulary, which the API uses. */
export function toFault(part: RequestPart, error: ErrorObject): Fault {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer)
  const extra =
    error.params.missingProperty ?? error.params.additionalProperty ?? error.params.unevaluatedProperty
  if (extra !== undefined) path.push(extra)
  const [type, msg, ctx] = translate(part, error)
  const isShown = extra === undefined && !path.some((step) => isSecretField(`${step}`))
  const input = isShown ? briefInput(error.data) : undefined
  return {
    loc: [part, ...path],
    msg,
    type,
    ...(input === undefined ? {} : { input }),
    ...(ctx ? { ctx } : {}),
  }
}

const unescapePointer = (step: string): string | number => {
  const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
  return /^\d+$/.test(name) ? Number(name) : name
}

const MAX_INPUT_LENGTH = 200

/** Returns the input if it is a short plain value. Large and deep inputs are not sent back. */
function briefInput(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_INPUT_LENGTH ? `${value.slice(0, MAX_INPUT_LENGTH)}…` : value
  return typeof value === 'object' ? undefined : value
}

/** Keyword of a bound → Pydantic's error type, its message, and the name of the bound in `ctx`. */
const BOUNDS: Record<string, [type: string, msg: (limit: number) => string, name: string]> = {
  minimum: ['greater_than_equal', (least) => `Input should be greater than or equal to ${least}`, 'ge'],
  maximum: ['less_than_equal', (most) => `Input should be less than or equal to ${most}`, 'le'],
  exclusiveMinimum: ['greater_than', (bound) => `Input should be greater than ${bound}`, 'gt'],
  exclusiveMaximum: ['less_than', (bound) => `Input should be less than ${bound}`, 'lt'],
  minLength: ['string_too_short', (least) => `String should have at least ${least} characters`, 'min_length'],
  maxLength: ['string_too_long', (most) => `String should have at most ${most} characters`, 'max_length'],
  minItems: ['too_short', (least) => `List should have at least ${least} items`, 'min_length'],
  maxItems: ['too_long', (most) => `List should have at most ${most} items`, 'max_length'],
}

function translate(part: RequestPart, error: ErrorObject): Translated {
  const { params, keyword } = error
  const bound = BOUNDS[keyword]
  if (bound) {
    const [type, msg, name] = bound
    return [type, msg(params.limit), { [name]: params.limit }]
  }
  switch (keyword) {
    case 'required':
      return ['missing', 'Field required']
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return ['extra_forbidden', 'Extra inputs are not permitted']
    case 'type':
      return typeFault(part, [params.type].flat())
    case 'pattern':
      return patternFault(error)
    case 'format':
      return formatFault(params.format)
    case 'enum':
      return enumFault(params.allowedValues)
    case 'const':
      return enumFault([params.allowedValue])
    default:
      return ['value_error', error.message ?? 'Invalid value']
  }
}

/** A JSON type → Pydantic's error for JSON, its error for text (path, query), and the noun of the message. */
const TYPE_NAMES: Record<string, [typeError: string, parsingError: string, noun: string]> = {
  string: ['string_type', 'string_type', 'a valid string'],
  integer: ['int_type', 'int_parsing', 'a valid integer'],
  number: ['float_type', 'float_parsing', 'a valid number'],
  boolean: ['bool_type', 'bool_parsing', 'a valid boolean'],
  object: ['dict_type', 'dict_type', 'an object'],
  array: ['list_type', 'list_type', 'a list'],
  null: ['none_required', 'none_required', 'null'],
}

function typeFault(part: RequestPart, types: string[]): Translated {
  const known = types.map((type) => TYPE_NAMES[type]).filter((names) => names !== undefined)
  const [first] = known
  if (!first) return ['value_error', 'Input has the wrong type']
  const [typeError, parsingError] = first
  const nouns = known.map(([, , noun]) => noun).join(' or ')
  return [part === 'body' ? typeError : parsingError, `Input should be ${nouns}`]
}

function patternFault({ params, parentSchema }: ErrorObject): Translated {
  if (parentSchema?.title === 'UUID') return ['uuid_parsing', 'Input should be a valid UUID']
  return [
    'string_pattern_mismatch',
    `String should match pattern '${params.pattern}'`,
    { pattern: params.pattern },
  ]
}

function formatFault(format: string): Translated {
  if (format === 'date-time')
    return ['datetime_parsing', 'Input should be a date and time with a time zone (ISO 8601)']
  if (format === 'date') return ['date_parsing', 'Input should be a date, YYYY-MM-DD']
  if (format === 'uri') return ['url_parsing', 'Input should be a valid URL']
  return ['value_error', `Input should be a valid ${format}`]
}

const enumFault = (allowed: unknown[]): Translated => [
  'enum',
  `Input should be ${allowed.map((value) => `'${value}'`).join(', ')}`,
  { expected: allowed },
]
