import { Type } from 'typebox'
import type { Operation } from '#api/platform/operation/operation.ts'
import { ProductFacets } from '#shared/catalog/storefront/read-facets.ts'
import { VALIDATION_FAILED } from '#shared/platform/validation.ts'

/** Returns a reference to a schema component. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const NULL = Type.Null()

/** The ways to authenticate. */
export const SECURITY_SCHEMES = {
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Key',
    description: "Identifies the store. Not needed on the store's own domain.",
  },
  customerToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /auth/login',
  },
  staffToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /auth/login of a staff member',
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'From POST /admin/api-tokens, with its own rights: `cx_sk_…`',
  },
  superAdminToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /super-admin/auth/login',
  },
  cartToken: { type: 'apiKey', in: 'header', name: 'X-Cart-Token', description: "A guest's cart" },
}

/** Returns the ways to authenticate for an operation. API tokens can call staff operations, except personal ones. */
export const securityOf = ({ kind, personal }: Operation['access']): object[] =>
  kind === 'staff' && !personal ? [...SECURITY[kind], { apiToken: [] }] : SECURITY[kind]

const SECURITY: Record<Operation['access']['kind'], object[]> = {
  open: [{}, { publishableKey: [] }],
  storefront: [{ publishableKey: [] }, {}],
  guest: [
    { publishableKey: [], cartToken: [] },
    { publishableKey: [], customerToken: [] },
    { publishableKey: [] },
  ],
  customer: [{ publishableKey: [], customerToken: [] }],
  staff: [{ staffToken: [] }],
  super_admin: [{ superAdminToken: [] }],
  account: [{ publishableKey: [], customerToken: [] }, { staffToken: [] }],
}

const integer = { type: 'integer', minimum: 0 }

/** The schemas that all responses share. */
export const SCHEMAS = {
  PaginationMeta: {
    type: 'object',
    required: ['page', 'page_size', 'total', 'total_pages'],
    properties: {
      page: integer,
      page_size: integer,
      total: integer,
      total_pages: integer,
      facets: { ...ProductFacets, description: 'Only of GET /products with `facets=true`' },
    },
  },
  Error: {
    type: 'object',
    required: ['data', 'meta', 'error', 'error_code'],
    properties: {
      data: NULL,
      meta: NULL,
      error: { type: 'string', description: 'The error and the next step, for people' },
      error_code: { type: 'string', description: 'The code of the error, for programs' },
    },
  },
  ValidationFailure: {
    allOf: [ref('Error')],
    required: ['detail'],
    properties: {
      error_code: { const: VALIDATION_FAILED.code },
      detail: { type: 'array', items: ref('ValidationError') },
    },
  },
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', items: { type: ['string', 'integer'] } },
      msg: { type: 'string' },
      type: { type: 'string' },
      input: {},
      ctx: { type: 'object' },
    },
  },
}
