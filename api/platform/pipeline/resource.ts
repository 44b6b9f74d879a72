import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Page } from '#shared/platform/db/list-query.ts'
import { CommonErrors, type ErrorFactory } from '#shared/platform/errors.ts'
import type { PageQuery } from '#shared/platform/http/schema.ts'
import type { Store } from '#shared/stores/store.ts'
import type { Access, StoreContext } from '../auth/access.ts'
import { page, type Reply, reply } from '../output/reply.ts'
import { type Call, endpoint, type Operation, type RequestInfo } from './endpoint.ts'

/** The names of the resource and of the actions on it in the audit log: see `Operation.audit`. */
export interface ResourceAudit {
  resource: string
  create?: string
  change?: string
  remove?: string
}

interface Described<R, W, P, Shown extends TSchema, Row> {
  /** Of all of them; one is below it, at the only parameter of `params`. */
  path: string
  audit: ResourceAudit
  params: P
  /** Who may read, and who may write. */
  reads: Access<R>
  writes: Access<W>
  returns: Shown
  view: (row: Row, store: Store, language: string) => Static<Shown>
  /** The `ETag` of one; without, it has none. */
  tag?: (row: NoInfer<Row>) => string
  /** One of them, as answers show it. */
  example: unknown
}

/** What each operation says for itself. Its handler gives the row, which is answered as the resource's view. */
interface Said<C, P, Q, B, Row> {
  summary: string
  description?: string
  /** Besides those that it has as what it is. */
  errors?: readonly ErrorFactory[]
  query?: Q
  body?: B
  /** Where its body or answer is another than the resource's. */
  example?: Partial<Operation['example']>
  handle(call: Call<C, P, Q, B>): PromiseLike<Row>
}

type Schema = TSchema | undefined
type PagedQuery = TObject<typeof PageQuery>

/**
 * The operations that most resources have alike: list, create, read, change, delete. Each is declared by what it does
 * not share with the others of its kind; one that differs in more is an `endpoint` beside them.
 */
export class Resource<
  R extends StoreContext,
  W extends StoreContext,
  P extends TObject,
  Shown extends TSchema,
  Row,
> {
  readonly #of: Described<R, W, P, Shown, Row>
  readonly #one: string

  constructor(described: Described<R, W, P, Shown, Row>) {
    this.#of = described
    this.#one = `${described.path}/:${Object.keys(described.params.properties)}`
  }

  #audit(operation: 'create' | 'change' | 'remove') {
    const { [operation]: action, resource } = this.#of.audit
    if (!action) throw new Error(`${this.#of.path} names no audit action for ${operation}`)
    return { audit: { action, resource } }
  }

  /** The answer that shows one of them, with its `ETag`. */
  answer(status: number, row: Row, { store, request }: { store: Store; request: RequestInfo }): Reply {
    const { view, tag } = this.#of
    return reply(status, view(row, store, request.language), tag ? { ETag: tag(row) } : {})
  }

  list<Q extends PagedQuery>(said: Said<R, undefined, Q, undefined, Page<Row>>): Operation {
    const { path, reads, returns, view, example } = this.#of
    return endpoint({
      ...said,
      method: 'get',
      path,
      access: reads,
      paginated: true,
      returns: [200, Type.Array(returns)],
      example: { data: [example], ...said.example },
      handle: async (call: Call<R, undefined, Q, undefined>) =>
        page(await said.handle(call), call.query, (row) => view(row, call.store, call.request.language)),
    })
  }

  create<B extends TSchema>(said: Said<W, undefined, undefined, B, Row>): Operation {
    const { path, writes, returns, example } = this.#of
    return endpoint({
      ...said,
      ...this.#audit('create'),
      method: 'post',
      path,
      access: writes,
      returns: [201, returns],
      example: { data: example, ...said.example },
      handle: async (call: Call<W, undefined, undefined, B>) =>
        this.answer(201, await said.handle(call), call),
    })
  }

  read(said: Said<R, P, undefined, undefined, Row>): Operation {
    const { params, reads, returns, example } = this.#of
    return endpoint({
      ...said,
      method: 'get',
      path: this.#one,
      access: reads,
      params,
      returns: [200, returns],
      errors: [CommonErrors.notFound, ...(said.errors ?? [])],
      example: { data: example, ...said.example },
      handle: async (call) => this.answer(200, await said.handle(call), call),
    })
  }

  /** `ifMatch` is for the verb to hold against the row that it locks. */
  change<B extends TSchema>(said: Said<W & { ifMatch?: string }, P, undefined, B, Row>): Operation {
    const { params, writes, returns, example } = this.#of
    return endpoint({
      ...said,
      ...this.#audit('change'),
      method: 'patch',
      path: this.#one,
      access: writes,
      params,
      returns: [200, returns],
      errors: [CommonErrors.notFound, CommonErrors.changed, ...(said.errors ?? [])],
      example: { data: example, ...said.example },
      handle: async (call) => {
        const ifMatch = call.request.headers['if-match']
        return this.answer(200, await said.handle({ ...call, ifMatch }), call)
      },
    })
  }

  remove<Q extends Schema = undefined>(said: Said<W, P, Q, undefined, unknown>): Operation {
    const { params, writes } = this.#of
    return endpoint({
      ...said,
      ...this.#audit('remove'),
      method: 'delete',
      path: this.#one,
      access: writes,
      params,
      returns: [200, Type.Null()],
      errors: [CommonErrors.notFound, ...(said.errors ?? [])],
      example: { data: null, ...said.example },
      handle: async (call) => {
        await said.handle(call)
        return null
      },
    })
  }
}
