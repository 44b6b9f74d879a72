import objection from 'objection'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import type { Operation } from '#api/platform/pipeline/operation.ts'
import { Resource, type ResourceAudit } from '#api/platform/pipeline/resource.ts'
import { CatalogErrors } from '#shared/catalog/errors.ts'
import { deleteTerm } from '#shared/catalog/taxonomy/delete-term.ts'
import { findTerm, findTerms } from '#shared/catalog/taxonomy/find-terms.ts'
import { createTerm, updateTerm } from '#shared/catalog/taxonomy/save-term.ts'
import type { Taxonomy, TermInput } from '#shared/catalog/taxonomy/taxonomy.ts'
import type { Term } from '#shared/catalog/taxonomy/term.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { Line, PageQuery, Shape, Uuid } from '#shared/platform/http/schema.ts'

interface TermResource<T extends Term> {
  /** Below `/admin`: `attribute-groups`. */
  path: string
  audit: ResourceAudit
  /** The name of its path parameter. */
  param: string
  /** As sentences name one and many: `an attribute group`, `attribute groups`. */
  one: string
  many: string
  taxonomy: Taxonomy<T>
  view: (term: T) => object
  returns: TSchema
  /** Request shapes; their fields are the model's in snake case. */
  create: TObject
  change: TObject
  /** What deleting waits for. */
  usedBy: string
  example: { body: object; data: object }
}

const TermQuery = Shape({
  ...PageQuery,
  q: Type.Optional({ ...Line(200), description: 'Words that stand in a name' }),
})

const { parse } = objection.snakeCaseMappers()

type FiveOperations = [
  list: Operation,
  create: Operation,
  read: Operation,
  change: Operation,
  remove: Operation,
]

/** The five operations on one taxonomy: list, create, read, change, delete. */
export function termEndpoints<T extends Term>(described: TermResource<T>): FiveOperations {
  const { taxonomy, one, many } = described
  const { body: example, data } = described.example
  const params = Shape({ [described.param]: Uuid })
  const idOf = (given: Static<typeof params>) => given[described.param] as string
  const toInput = (body: unknown) => parse(body as object) as TermInput<T>
  const terms = new Resource({
    path: `/admin/${described.path}`,
    audit: described.audit,
    params,
    reads: staff('catalog:read'),
    writes: staff('catalog:write'),
    returns: described.returns,
    view: described.view,
    tag: entityTag,
    example: data,
  })

  return [
    terms.list({
      summary: `List ${many}`,
      query: TermQuery,
      handle: ({ tx, query }) => findTerms(tx, taxonomy, query),
    }),
    terms.create({
      summary: `Create ${one}`,
      body: described.create,
      errors: [taxonomy.duplicateError],
      example: { body: example },
      handle: ({ tx, store, body }) => createTerm(tx, store, taxonomy, toInput(body)),
    }),
    terms.read({
      summary: `Read ${one}`,
      handle: ({ tx, params }) => findTerm(tx, taxonomy, idOf(params)),
    }),
    terms.change({
      summary: `Change ${one}`,
      description: 'What the body leaves out stays.',
      body: described.change,
      errors: [taxonomy.duplicateError],
      example: { body: example },
      handle: ({ tx, store, params, body, ifMatch }) =>
        updateTerm(tx, store, taxonomy, idOf(params), { input: toInput(body), ifMatch }),
    }),
    terms.remove({
      summary: `Delete ${one} that is not in use`,
      description: `In use means: ${described.usedBy}. Deleted products let go of it.`,
      errors: [CatalogErrors.inUse],
      handle: ({ tx, params }) => deleteTerm(tx, taxonomy, idOf(params)),
    }),
  ]
}
