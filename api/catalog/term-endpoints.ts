import type { Static, TObject, TSchema } from 'typebox'
import { type StoreContext, staff } from '#api/platform/auth/access.ts'
import type { StaffOrApiToken } from '#api/platform/auth/callers.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { Resource, type ResourceAudit } from '#api/platform/pipeline/resource.ts'
import { CatalogErrors } from '#shared/catalog/errors.ts'
import { createTerm } from '#shared/catalog/taxonomy/create-term.ts'
import { deleteTerm } from '#shared/catalog/taxonomy/delete-term.ts'
import { listTerms } from '#shared/catalog/taxonomy/list-terms.ts'
import { findTerm, type Taxonomy, type Term, type TermInput } from '#shared/catalog/taxonomy/taxonomy.ts'
import { updateTerm } from '#shared/catalog/taxonomy/update-term.ts'
import { toPropertyNames } from '#shared/platform/db/model.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { Shape, Uuid } from '#shared/platform/http/schema.ts'

interface TermSpec<T extends Term> {
  /** The path of the list. */
  path: `/admin/${string}`
  audit: ResourceAudit
  /** The name of the path parameter. */
  param: string
  /** The singular and plural of a term in sentences, e.g. `an attribute group` and `attribute groups`. */
  one: string
  many: string
  taxonomy: Taxonomy<T>
  view: (term: T) => object
  returns: TSchema
  /** The request shapes. Their fields are the model's fields in snake_case. */
  createBody: TObject
  updateBody: TObject
  /** The use that prevents the deletion of a term, as a clause with `it`, e.g. `a product has it`. */
  inUseWhen: string
  example: { body: object; data: object }
}

/** Returns the five operations on the terms of a taxonomy: list, create, read, update, delete. */
export function termEndpoints<T extends Term>(spec: TermSpec<T>) {
  const resource = new Resource({
    path: spec.path,
    audit: spec.audit,
    params: Shape({ [spec.param]: Uuid }),
    reads: staff('catalog:read'),
    writes: staff('catalog:write'),
    returns: spec.returns,
    view: spec.view,
    tag: entityTag,
    example: spec.example.data,
  })
  return {
    list: listEndpoint(resource, spec),
    create: createEndpoint(resource, spec),
    read: readEndpoint(resource, spec),
    update: updateEndpoint(resource, spec),
    remove: deleteEndpoint(resource, spec),
  }
}

type Params = TObject<Record<string, typeof Uuid>>
type StaffContext = StoreContext & { staff: StaffOrApiToken }
type TermResource<T> = Resource<StaffContext, StaffContext, Params, TSchema, T>

const idOf = <T extends Term>({ param }: TermSpec<T>, params: Static<Params>) => params[param] as string

const toInput = <T extends Term>(body: unknown) => toPropertyNames(body as object) as TermInput<T>

const listEndpoint = <T extends Term>(resource: TermResource<T>, { many, taxonomy }: TermSpec<T>) =>
  resource.list({
    summary: `List ${many}`,
    query: listQuery(taxonomy.list),
    handle: ({ tx, query }) => listTerms(tx, taxonomy, query),
  })

const createEndpoint = <T extends Term>(
  resource: TermResource<T>,
  { one, taxonomy, createBody, example: { body: example } }: TermSpec<T>,
) =>
  resource.create({
    summary: `Create ${one}`,
    body: createBody,
    errors: [taxonomy.duplicateError],
    example: { body: example },
    handle: ({ tx, store, body }) => createTerm(tx, store, taxonomy, toInput(body)),
  })

const readEndpoint = <T extends Term>(resource: TermResource<T>, spec: TermSpec<T>) =>
  resource.read({
    summary: `Read ${spec.one}`,
    handle: ({ tx, params }) => findTerm(tx, spec.taxonomy, idOf(spec, params)),
  })

const updateEndpoint = <T extends Term>(resource: TermResource<T>, spec: TermSpec<T>) =>
  resource.update({
    summary: `Change ${spec.one}`,
    description: 'Fields that the body omits keep their values.',
    body: spec.updateBody,
    errors: [spec.taxonomy.duplicateError],
    example: { body: spec.example.body },
    handle: ({ tx, store, params, body, ifMatch }) =>
      updateTerm(tx, store, spec.taxonomy, idOf(spec, params), { input: toInput(body), ifMatch }),
  })

const deleteEndpoint = <T extends Term>(resource: TermResource<T>, spec: TermSpec<T>) =>
  resource.delete({
    summary: `Delete ${spec.one} that is not in use`,
    description: `In use means: ${spec.inUseWhen}. A deleted product does not count: it loses the term.`,
    errors: [CatalogErrors.inUse],
    handle: ({ tx, params }) => deleteTerm(tx, spec.taxonomy, idOf(spec, params)),
  })
