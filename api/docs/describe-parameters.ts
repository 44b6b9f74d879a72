import type { TObject, TSchema } from 'typebox'
import { CHALLENGE_HEADER, MAX_TOKEN_LENGTH, SITE_KEY_HEADER } from '#api/platform/challenge/challenge.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { CreatedQuery, PageQuery, UpdatedQuery } from '#shared/platform/http/query-parameters.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { toPascalCase } from '#shared/platform/http/to-pascal-case.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: object
}

/** Describes the parameters of a request: in its path, its query and its headers. */
export const describeParameters = (operation: Operation): (Parameter | { $ref: string })[] => [
  ...parametersOf('path', operation.params),
  ...parametersOf('query', operation.query).map(shareParameter),
  ...headersOf(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
]

function parametersOf(location: 'path' | 'query', schema: TSchema | undefined): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<TObject>
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string; type?: string }
    return {
      name,
      in: location,
      required: location === 'path' || ((required as string[]).includes(name) && !('default' in property)),
      ...(description ? { description } : {}),
      // Commas separate several values.
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: rest,
    }
  })
}

function headersOf({ idempotency, errors, challenge }: Operation): (keyof typeof HEADERS)[] {
  return [
    ...(idempotency === 'optional' ? (['IdempotencyKey'] as const) : []),
    ...(idempotency === 'required' ? (['RequiredIdempotencyKey'] as const) : []),
    ...(errors.includes(CommonErrors.changed) ? (['IfMatch'] as const) : []),
    ...(challenge ? (['ChallengeResponse'] as const) : []),
  ]
}

const idempotencyKey = (required: boolean): Parameter => ({
  name: 'Idempotency-Key',
  in: 'header',
  required,
  description:
    'A repeated request with the same key returns the same response without a second effect. Valid for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
})

const HEADERS = {
  IdempotencyKey: idempotencyKey(false),
  RequiredIdempotencyKey: idempotencyKey(true),
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` that the change is based on. If the resource has changed since, the response is 412 ' +
      '`resource.changed`.',
    schema: { type: 'string' },
  },
  ChallengeResponse: {
    name: CHALLENGE_HEADER,
    in: 'header',
    required: false,
    description:
      'The token of a solved challenge, after `challenge.required`, which names the site key in `' +
      `${SITE_KEY_HEADER}\`. Only where the operator has set up challenges.`,
    schema: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_LENGTH },
  },
} satisfies Record<string, Parameter>

const COMMON_QUERY = Shape({ ...PageQuery, ...CreatedQuery, ...UpdatedQuery })

/** The parameters that many operations share. */
export const PARAMETERS: Record<string, Parameter> = {
  ...Object.fromEntries(
    parametersOf('query', COMMON_QUERY).map((parameter) => [toPascalCase(parameter.name), parameter]),
  ),
  ...HEADERS,
}

/** Returns a reference to the common parameter that is the same, if there is one. */
function shareParameter(parameter: Parameter): Parameter | { $ref: string } {
  const name = toPascalCase(parameter.name)
  return JSON.stringify(PARAMETERS[name]) === JSON.stringify(parameter)
    ? { $ref: `#/components/parameters/${name}` }
    : parameter
}
