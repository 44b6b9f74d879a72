import type { Static, TObject, TSchema } from 'typebox'
import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { Resource, type ResourceAudit } from '#api/platform/pipeline/resource.ts'
import { CatalogErrors } from '#shared/catalog/errors.ts'
import { createTerm } from '#shared/catalog/taxonomy/create-term.ts'
import { deleteTerm } from '#shared/catalog/taxonomy/delete-term.ts'
import {
  findTerm,
  findTerms,
  type Taxonomy,
  type Term,
  type TermInput,
} from '#shared/catalog/taxonomy/taxonomy.ts'
import { updateTerm } from '#shared/catalog/taxonomy/update-term.ts'
import { toPropertyNames } from '#shared/platform/db/model.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'

interface TermResource<T extends Term> {
  /** Below `/admin`: `attribute-groups`. */
  path: string
  audit: ResourceAudit
  /** The name of its path parameter. */
  param: string
  /** Singular and plural in sentences: `an attribute group`, `attribute groups`. */
  one: string
  many: string
  taxonomy: Taxonomy<T>
  view: (term: T) => object
  returns: TSchema
  /** Request shapes. Their fields are the model's fields in snake case. */
  create: TObject
  update: TObject
  /** The condition under which a term cannot be deleted. */
  usedBy: string
  example: { body: object; data: object }
}

type FiveOperations = [
  list: Operation,
  create: Operation,
  read: Operation,
  update: Operation,
  remove: Operation,
]

/** The five operations on the terms of a taxonomy: list, create, read, update, delete. */
export function termEndpoints<T extends Term>(resource: TermResource<T>): FiveOperations {
  const { taxonomy, one, many } = resource
  const { body: example, data } = resource.example
  const params = Shape({ [resource.param]: Uuid })
  const idOf = (given: Static<typeof params>) => given[resource.param] as string
  const toInput = (body: unknown) => toPropertyNames(body as object) as TermInput<T>
  const terms = new Resource({
    path: `/admin/${resource.path}`,
    audit: resource.audit,
    params,
    reads: staff('catalog:read'),
    writes: staff('catalog:write'),
    returns: resource.returns,
    view: resource.view,
    tag: entityTag,
    example: data,
  })

  return [
    terms.list({
      summary: `List ${many}`,
      query: listQuery(taxonomy.list),
      handle: ({ tx, query }) => findTerms(tx, taxonomy, query),
    }),
    terms.create({
      summary: `Create ${one}`,
      body: resource.create,
      errors: [taxonomy.duplicateError],
      example: { body: example },
      handle: ({ tx, store, body }) => createTerm(tx, store, taxonomy, toInput(body)),
    }),
    terms.read({
      summary: `Read ${one}`,
      handle: ({ tx, params }) => findTerm(tx, taxonomy, idOf(params)),
    }),
    terms.update({
      summary: `Change ${one}`,
      description: 'Fields that the body omits keep their values.',
      body: resource.update,
      errors: [taxonomy.duplicateError],
      example: { body: example },
      handle: ({ tx, store, params, body, ifMatch }) =>
        updateTerm(tx, store, taxonomy, idOf(params), { input: toInput(body), ifMatch }),
    }),
    terms.delete({
      summary: `Delete ${one} that is not in use`,
      description: `In use means: ${resource.usedBy}. A deleted product does not count and loses it.`,
      errors: [CatalogErrors.inUse],
      handle: ({ tx, params }) => deleteTerm(tx, taxonomy, idOf(params)),
    }),
  ]
}
