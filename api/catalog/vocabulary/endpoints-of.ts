import objection from 'objection'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { CatalogErrors } from '#shared/catalog/errors.ts'
import { deleteTerm } from '#shared/catalog/vocabulary/delete-term.ts'
import { findTerm, findTerms } from '#shared/catalog/vocabulary/find-terms.ts'
import { changeTerm, createTerm } from '#shared/catalog/vocabulary/save-term.ts'
import type { Term } from '#shared/catalog/vocabulary/term.ts'
import type { Saying, Vocabulary } from '#shared/catalog/vocabulary/vocabulary.ts'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Line, PageQuery, Shape, Uuid } from '#shared/platform/schema.ts'
import { staff } from '../../platform/access.ts'
import { endpoint, type Operation } from '../../platform/endpoint.ts'
import { page, reply } from '../../platform/reply.ts'

interface Described<T extends Term> {
  /** Below `/admin`: `attribute-groups`. */
  path: string
  /** The name of its path parameter. */
  param: string
  /** As sentences name one and many: `an attribute group`, `attribute groups`. */
  one: string
  many: string
  vocabulary: Vocabulary<T>
  view(term: T): object
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

/** The five operations on one vocabulary: list, create, read, change, delete. */
export function endpointsOf<T extends Term>(described: Described<T>): FiveOperations {
  const { vocabulary, view, one, many, returns, example } = described
  const all = `/admin/${described.path}`
  const single = `${all}/:${described.param}`
  const params = Shape({ [described.param]: Uuid })
  const idOf = (given: Static<typeof params>) => given[described.param] as string
  const tagged = (status: number, term: T) => reply(status, view(term), { ETag: entityTag(term) })
  const said = (body: unknown) => parse(body as object) as Saying<T>

  return [
    endpoint({
      method: 'get',
      path: all,
      access: staff('catalog:read'),
      paginated: true,
      summary: `List ${many}`,
      query: TermQuery,
      returns: [200, Type.Array(returns)],
      example: { data: [example.data] },
      async handle({ tx, query }) {
        const { found, total } = await findTerms(tx, vocabulary, { ...query, pageSize: query.page_size })
        return page(found.map(view), total, query)
      },
    }),
    endpoint({
      method: 'post',
      path: all,
      access: staff('catalog:write'),
      summary: `Create ${one}`,
      body: described.create,
      returns: [201, returns],
      errors: [vocabulary.taken],
      example,
      async handle({ tx, store, body }) {
        return tagged(201, await createTerm(tx, store, vocabulary, said(body)))
      },
    }),
    endpoint({
      method: 'get',
      path: single,
      access: staff('catalog:read'),
      summary: `Read ${one}`,
      params,
      returns: [200, returns],
      errors: [CommonErrors.notFound],
      example: { data: example.data },
      async handle({ tx, params }) {
        return tagged(200, await findTerm(tx, vocabulary, idOf(params)))
      },
    }),
    endpoint({
      method: 'patch',
      path: single,
      access: staff('catalog:write'),
      summary: `Change ${one}`,
      description: 'What the body leaves out stays.',
      params,
      body: described.change,
      returns: [200, returns],
      errors: [CommonErrors.notFound, CommonErrors.changed, vocabulary.taken],
      example,
      async handle({ tx, store, params, body, request }) {
        const change = { said: said(body), ifMatch: request.headers['if-match'] }
        return tagged(200, await changeTerm(tx, store, vocabulary, idOf(params), change))
      },
    }),
    endpoint({
      method: 'delete',
      path: single,
      access: staff('catalog:write'),
      summary: `Delete ${one} that is not in use`,
      description: `In use means: ${described.usedBy}. Deleted products let go of it.`,
      params,
      returns: [200, Type.Null()],
      errors: [CommonErrors.notFound, CatalogErrors.inUse],
      example: { data: null },
      async handle({ tx, params }) {
        await deleteTerm(tx, vocabulary, idOf(params))
        return null
      },
    }),
  ]
}
