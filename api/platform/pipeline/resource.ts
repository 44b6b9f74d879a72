import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Access, StoreContext } from '#api/platform/auth/access.ts'
import type { RecentSignIn } from '#api/platform/auth/assert-recent-sign-in.ts'
import type { OptionalStaff } from '#api/platform/auth/callers.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { page, type Reply, reply } from '#api/platform/output/reply.ts'
import type { CsvFile } from '#shared/platform/csv/csv-file.ts'
import type { Page } from '#shared/platform/db/list-query.ts'
import { CommonErrors, type DeclaredError } from '#shared/platform/errors.ts'
import type { PageQuery } from '#shared/platform/http/query-parameters.ts'
import type { Store } from '#shared/stores/store.ts'
import { type Call, endpoint } from './endpoint.ts'

/** The names of the resource and its actions in the audit log (see `Operation.audit`). */
export interface ResourceAudit {
  resource: string
  create?: string
  update?: string
  delete?: string
  /** The action of reading the list, for resources with personal data. */
  list?: string
  read?: string
}

interface ResourceOptions<R, W, P, View extends TSchema, Row> {
  /** The path of the list. A single resource is below it, with the only parameter of `params`. */
  path: string
  audit: ResourceAudit
  params: P
  /** The access to reads and to changes. */
  reads: Access<R>
  writes: Access<W>
  returns: View
  view: (row: Row, store: Store, language: string, caller: OptionalStaff) => Static<View>
  /** Returns the `ETag` of one resource. Undefined for resources without ETags. */
  tag?: (row: NoInfer<Row>) => string
  /** The example of one resource in the API description. */
  example: unknown
}

/** One operation of a resource. Its handler returns the row, and the response is the row's view. */
interface ResourceOperation<C, P, Q, B, Row> {
  summary: string
  description?: string
  /** The errors besides those that every operation of its kind has. */
  errors?: readonly DeclaredError[]
  query?: Q
  body?: B
  recentSignIn?: RecentSignIn
  /** The example, if body or response differ from the resource's. */
  example?: Partial<Operation['example']>
  handle(call: Call<C, P, Q, B>): PromiseLike<Row>
}

type Schema = TSchema | undefined
type PagedQuery = TObject<typeof PageQuery>

/**
 * Declares the operations that most resources have: list, create, read, update and delete. Each declaration has only
 * its differences from the same operation of other resources. An operation with more differences is an `endpoint`.
 */
export class Resource<
  R extends StoreContext & OptionalStaff,
  W extends StoreContext & OptionalStaff,
  P extends TObject,
  View extends TSchema,
  Row,
> {
  readonly #options: ResourceOptions<R, W, P, View, Row>
  readonly #path: string

  constructor(options: ResourceOptions<R, W, P, View, Row>) {
    this.#options = options
    const [id] = Object.keys(options.params.properties)
    this.#path = `${options.path}/:${id}`
  }

  /** The audit of a read, for resources with personal data. */
  #auditRead(read: 'list' | 'read') {
    const { [read]: action, resource } = this.#options.audit
    return action ? { audit: { action, resource } } : {}
  }

  #audit(verb: 'create' | 'update' | 'delete') {
    const { [verb]: action, resource } = this.#options.audit
    if (!action) throw new Error(`${this.#options.path} names no audit action for ${verb}`)
    return { audit: { action, resource } }
  }

  /** Returns the response with one resource and its `ETag`. */
  replyWith(status: number, row: Row, call: OptionalStaff & { store: Store; request: RequestInfo }): Reply {
    const { view, tag } = this.#options
    const shown = view(row, call.store, call.request.language, call)
    return reply(status, shown, tag ? { ETag: tag(row) } : {})
  }

  list<Q extends PagedQuery>(
    operation: ResourceOperation<R, undefined, Q, undefined, Page<Row>> & {
      csv?(call: Call<R, undefined, Q, undefined>): Promise<CsvFile>
    },
  ): Operation {
    const { path, reads, returns, view, example } = this.#options
    return endpoint({
      ...operation,
      ...this.#auditRead('list'),
      method: 'get',
      path,
      access: reads,
      paginated: true,
      returns: [200, Type.Array(returns)],
      example: { data: [example], ...operation.example },
      handle: async (call: Call<R, undefined, Q, undefined>) =>
        page(await operation.handle(call), call.query, (row) =>
          view(row, call.store, call.request.language, call),
        ),
    })
  }

  create<B extends TSchema>(operation: ResourceOperation<W, undefined, undefined, B, Row>): Operation {
    const { path, writes, returns, example } = this.#options
    return endpoint({
      ...operation,
      ...this.#audit('create'),
      method: 'post',
      path,
      access: writes,
      returns: [201, returns],
      example: { data: example, ...operation.example },
      handle: async (call: Call<W, undefined, undefined, B>) =>
        this.replyWith(201, await operation.handle(call), call),
    })
  }

  read(operation: ResourceOperation<R, P, undefined, undefined, Row>): Operation {
    const { params, reads, returns, example } = this.#options
    return endpoint({
      ...operation,
      ...this.#auditRead('read'),
      method: 'get',
      path: this.#path,
      access: reads,
      params,
      returns: [200, returns],
      errors: [CommonErrors.notFound, ...(operation.errors ?? [])],
      example: { data: example, ...operation.example },
      handle: async (call) => this.replyWith(200, await operation.handle(call), call),
    })
  }

  /** The handler compares `ifMatch` with the row that it locks. */
  update<B extends TSchema>(operation: ResourceOperation<W, P, undefined, B, Row>): Operation {
    const { params, writes, returns, example } = this.#options
    return endpoint({
      ...operation,
      ...this.#audit('update'),
      method: 'patch',
      path: this.#path,
      access: writes,
      params,
      returns: [200, returns],
      errors: [CommonErrors.notFound, CommonErrors.changed, ...(operation.errors ?? [])],
      example: { data: example, ...operation.example },
      handle: async (call) => this.replyWith(200, await operation.handle(call), call),
    })
  }

  delete<Q extends Schema = undefined>(operation: ResourceOperation<W, P, Q, undefined, unknown>): Operation {
    const { params, writes } = this.#options
    return endpoint({
      ...operation,
      ...this.#audit('delete'),
      method: 'delete',
      path: this.#path,
      access: writes,
      params,
      returns: [200, Type.Null()],
      errors: [CommonErrors.notFound, ...(operation.errors ?? [])],
      example: { data: null, ...operation.example },
      handle: async (call) => {
        await operation.handle(call)
        return null
      },
    })
  }
}
