import type { TObject, TSchema } from 'typebox'
import { CHALLENGE_HEADER, MAX_TOKEN_LENGTH, SITE_KEY_HEADER } from '#api/platform/challenge/challenge.ts'
import { ChallengeErrors } from '#api/platform/challenge/errors.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { withSharedLimits } from '#api/platform/rate-limits/limits.ts'
import { defaultOf } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { NULL, ref, SCHEMAS, SECURITY_SCHEMES, securityOf } from './components.ts'
import { describeErrors, SharedExamples } from './describe-errors.ts'
import { hoistSchemas } from './hoist-schemas.ts'

/** Describes the whole API (OpenAPI 3.1) from its endpoints. */
export function describeApi(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  const shared = new SharedExamples()
  for (const operation of operations) {
    const path = `/api/v1${operation.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, shared) }
  }
  const { hoisted, schemas } = hoistSchemas(paths)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commerce Service',
      version: '0.1.0',
      summary: 'A multi-tenant e-commerce back end',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(tagOf))].sort(byAudience).map((name) => ({ name })),
    paths: hoisted,
    components: {
      schemas: { ...SCHEMAS, ...schemas },
      examples: shared.byName,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const INTRODUCTION = `Every store is a tenant. Storefront operations identify the store by the publishable key in \`X-Service-Key\` or by the store's own domain, admin operations by the staff token.

Every response is an envelope: \`data\`, \`meta\` (of paginated lists), \`error\` and \`error_code\`. Amounts are numbers in major units of the store's currency, times are ISO 8601 in UTC.

Rate limits count requests per minute over all processes of the service. \`x-rate-limits\` lists the limits of an operation with their defaults. The headers \`RateLimit-Policy\` and \`RateLimit\` contain the limits and the remaining requests. Above a limit, 429 \`rate_limit.exceeded\` has the seconds to wait in \`Retry-After\`.

A read returns at most 4 MiB of data. A list with more on one page returns 422 \`response.too_large\`: nothing is left out silently, so ask for a smaller \`page_size\`.

Browsers can call the API from the allowed origins of a publishable key and from the store's own domains.`

function describeOperation(operation: Operation, shared: SharedExamples) {
  const { returns, errors, access } = operation
  const statuses = returns.slice(0, -1) as number[]
  return {
    operationId: operationIdOf(operation),
    tags: [tagOf(operation)],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    security: securityOf(access),
    ...(access.rights.length ? { 'x-required-rights': access.rights } : {}),
    ...describeLimits(operation),
    parameters: [
      ...parametersOf('path', operation.params),
      ...parametersOf('query', operation.query),
      ...idempotencyParameter(operation),
      ...challengeParameter(operation),
    ],
    ...requestBodyOf(operation),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, describeSuccess(operation, status)])),
      ...(operation.cached ? { 304: { description: 'Not changed since the ETag in If-None-Match' } } : {}),
      ...describeErrors(
        [
          ...errors,
          ...access.errors,
          ...limitErrors(operation),
          ...sizeErrors(operation),
          ...challengeErrors(operation),
        ],
        takesInput(operation),
        shared,
      ),
    },
  }
}

const limitErrors = ({ limits }: Operation) => (limits.length ? [CommonErrors.rateLimited] : [])

/** A read ends when it returns more than one response may hold. */
const sizeErrors = ({ method, access }: Operation) =>
  method === 'get' && access.kind !== 'open' ? [CommonErrors.responseTooLarge] : []

const challengeErrors = ({ challenge }: Operation) => (challenge ? [ChallengeErrors.required] : [])

const describeLimits = ({ limits }: Operation) =>
  limits.length
    ? {
        'x-rate-limits': withSharedLimits(limits).map(({ name, variable, per }) => ({
          name,
          per,
          default_per_minute: defaultOf(variable),
        })),
      }
    : {}

const takesInput = ({ params, query, body, accepts }: Operation) =>
  Boolean(params || query || body || accepts !== 'application/json')

const AUDIENCES = ['Storefront', 'Admin', 'Super-admin']
const audienceOf = (tag: string) => AUDIENCES.indexOf(tag.split(':')[0] ?? '')

const byAudience = (a: string, b: string) => audienceOf(a) - audienceOf(b) || a.localeCompare(b)

function tagOf({ path }: Operation): string {
  const [, first = '', second = ''] = path.split('/')
  if (first === 'super-admin') return `Super-admin: ${second}`
  return first === 'admin' ? `Admin: ${second}` : `Storefront: ${first}`
}

function describeSuccess(operation: Operation, status: number) {
  const { returns, example, paginated, summary } = operation
  const data = returns.at(-1) as TSchema
  if (isCsv(data)) return { description: summary, ...describeCsv(example.data) }
  const meta = paginated ? { page: 1, page_size: 20, total: 1, total_pages: 1 } : null
  const schema = {
    type: 'object',
    required: ['data', 'meta', 'error', 'error_code'],
    properties: { data, meta: paginated ? ref('PaginationMeta') : NULL, error: NULL, error_code: NULL },
  }
  const value = { data: example.data, meta, error: null, error_code: null }
  return {
    description: summary,
    content: {
      'application/json': { schema, example: value },
      ...(operation.csv ? describeCsv().content : {}),
    },
    ...STATUS_NOTES[status],
  }
}

/** A response that is always a CSV file. */
const isCsv = (data: TSchema): boolean =>
  (data as { contentMediaType?: string }).contentMediaType === 'text/csv'

const describeCsv = (example?: unknown) => ({
  content: {
    'text/csv': {
      schema: { type: 'string', description: 'UTF-8, separated by commas, with a header' },
      ...(example === undefined ? {} : { example }),
    },
  },
  headers: {
    'X-Total-Rows': { description: 'Rows below the header', required: true, schema: { type: 'integer' } },
  },
})

const STATUS_NOTES: Record<number, object> = {
  202: { description: 'Accepted: a worker processes it. Read the resource again for the result.' },
  302: {
    description: 'Redirects the browser',
    headers: { Location: { required: true, schema: { type: 'string', format: 'uri' } } },
  },
}

function parametersOf(location: 'path' | 'query', schema: TSchema | undefined) {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<TObject>
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string; type?: string }
    return {
      name,
      in: location,
      required: location === 'path' || ((required as string[]).includes(name) && !('default' in property)),
      ...(description ? { description } : {}),
      // Several values are between commas.
      ...(rest.type === 'array' ? { style: 'form', explode: false } : {}),
      schema: rest,
    }
  })
}

const idempotencyParameter = ({ idempotency }: Operation) =>
  idempotency === 'none'
    ? []
    : [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: idempotency === 'required',
          description:
            'A repeated request with the same key returns the same response without a second effect. Valid for 24 hours.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]

const challengeParameter = ({ challenge }: Operation) =>
  challenge
    ? [
        {
          name: CHALLENGE_HEADER,
          in: 'header',
          required: false,
          description:
            'The token of a solved challenge, after `challenge.required`, which names the site key in `' +
            `${SITE_KEY_HEADER}\`. Only where the operator has set up challenges.`,
          schema: { type: 'string', minLength: 1, maxLength: MAX_TOKEN_LENGTH },
        },
      ]
    : []

/** A body that is a file: alone, or as the part of a form. */
const schemaOfFile = (type: string) =>
  type === 'multipart/form-data'
    ? {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
      }
    : { type: 'string', contentMediaType: type }

function requestBodyOf({ body, accepts, alsoAccepts = [], rawBody, example, access, method }: Operation) {
  if (!body && accepts === 'application/json' && !rawBody) return {}
  if (!body && (method === 'get' || method === 'delete')) return {}
  const schema = body ?? { type: rawBody ? 'object' : 'string' }
  return {
    requestBody: {
      required: access.kind !== 'open' || Boolean(body),
      content: {
        [accepts]: { schema, ...(example.body === undefined ? {} : { example: example.body }) },
        ...Object.fromEntries(alsoAccepts.map((type) => [type, { schema: schemaOfFile(type) }])),
      },
    },
  }
}

/** The `operationId` of an operation, also its action in the audit log: `patchAdminWebhooksWebhookId`. */
export function operationIdOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path.split(/[/:_-]+/).filter(Boolean)
  return [method, ...words]
    .map((word, i) => (i ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('')
}
