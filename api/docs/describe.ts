import { ChallengeErrors } from '#api/platform/challenge/errors.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { withSharedLimits } from '#api/platform/rate-limits/limits.ts'
import { RECENT_SIGN_IN_MINUTES } from '#shared/identity/sessions/recent-sign-in.ts'
import { defaultOf } from '#shared/platform/config/config.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { SharedResponses } from './common-responses.ts'
import { SCHEMAS, SECURITY_SCHEMES, securityOf } from './components.ts'
import { describeErrors, type SharedErrors, SharedExamples } from './describe-errors.ts'
import { describeParameters, PARAMETERS } from './describe-parameters.ts'
import { describeRequestBody } from './describe-request-body.ts'
import { describeSuccess } from './describe-success.ts'
import { hoistSchemas } from './hoist-schemas.ts'
import type { SchemaNames } from './schema-names.ts'

/** Describes the whole API (OpenAPI 3.1) from its endpoints. */
export function describeApi(operations: readonly Operation[], names: SchemaNames) {
  const paths: Record<string, Record<string, unknown>> = {}
  const shared = { examples: new SharedExamples(), responses: new SharedResponses() }
  for (const operation of operations) {
    const path = `/api/v1${operation.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, shared) }
  }
  const { hoisted, schemas } = hoistSchemas(paths, names, SCHEMAS)
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
      schemas,
      responses: shared.responses.byName,
      parameters: PARAMETERS,
      examples: shared.examples.byName,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const INTRODUCTION =
  'Every store is a tenant. Storefront operations identify the store by the publishable key in `X-Service-Key` or by ' +
  "the store's own domain, admin operations by the staff token.\n\n" +
  'Every response is an envelope: `data`, `meta` (of paginated lists), `error` and `error_code`. Amounts are numbers ' +
  "in major units of the store's currency, times are ISO 8601 in UTC.\n\n" +
  'Rate limits count requests per minute over all processes of the service. `x-rate-limits` lists the limits of an ' +
  'operation with their defaults; an *IP address* there is an IPv4 address or an IPv6 /64, a *network* an IPv4 ' +
  'address or an IPv6 /48. The headers `RateLimit-Policy` and `RateLimit` contain the limits and the remaining ' +
  'requests. Above a limit, 429 `rate_limit.exceeded` has the seconds to wait in `Retry-After`.\n\n' +
  'Changes that outlast a session, e.g. of users, roles, tokens and sign-in, require staff and super-admins to have ' +
  'signed in within the last hour; `x-recent-sign-in` marks them, and `fields` the fields of the body that require ' +
  'it. Else they return 403 `auth.reauthentication_required`: confirm the password by POST /auth/reauthenticate, or ' +
  'sign in again. For API tokens, these operations require no recent sign-in.\n\n' +
  'A read returns at most 4 MiB of data. A list with more on one page returns 422 `response.too_large`: nothing is ' +
  'left out silently, so ask for a smaller `page_size`. A change that loads more than 16 MiB of stored data is 422 ' +
  '`request.too_much_data`.\n\n' +
  "Browsers can call the API from the allowed origins of a publishable key and from the store's own domains."

function describeOperation(operation: Operation, shared: SharedErrors) {
  const { returns, errors, access } = operation
  const statuses = returns.slice(0, -1) as number[]
  return {
    operationId: operationIdOf(operation),
    tags: [tagOf(operation)],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    security: securityOf(access),
    ...(access.rights.length ? { 'x-required-rights': access.rights } : {}),
    ...describeRecentSignIn(operation),
    ...describeLimits(operation),
    parameters: describeParameters(operation),
    ...describeRequestBody(operation),
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

const limitErrors = ({ limits }: Operation) => (limits.length ? [CommonErrors.rateLimitExceeded] : [])

/** Returns the errors of a request that loads more than one response or process may hold. */
function sizeErrors({ method, access }: Operation) {
  if (access.kind === 'open') return []
  return [method === 'get' ? CommonErrors.responseTooLarge : CommonErrors.tooMuchData]
}

const challengeErrors = ({ challenge }: Operation) => (challenge ? [ChallengeErrors.required] : [])

const describeRecentSignIn = ({ recentSignIn }: Operation) =>
  recentSignIn
    ? {
        'x-recent-sign-in': {
          minutes: RECENT_SIGN_IN_MINUTES,
          ...(recentSignIn === true ? {} : { fields: recentSignIn }),
        },
      }
    : {}

const describeLimits = ({ limits }: Operation) =>
  limits.length
    ? {
        'x-rate-limits': withSharedLimits(limits).map(({ name, variable, factor = 1, per }) => ({
          name,
          per,
          default_per_minute: Number(defaultOf(variable)) * factor,
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

/** Returns the `operationId` of an operation, also its action in the audit log: `patchAdminWebhooksWebhookId`. */
function operationIdOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  const words = path.split(/[/:_-]+/).filter(Boolean)
  return [method, ...words]
    .map((word, i) => (i ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('')
}
