import type { TenantContext } from '#shared/stores/find-store.ts'

/** The result of authenticating a request. */
export interface AuthContext {
  /** The store of the request; undefined if the operation needs none. */
  tenant: TenantContext | undefined
  /** The access's part of the handler's argument: the customer, the staff member … */
  context: Record<string, unknown>
  /**
   * The caller's name, which scopes idempotency keys and rate limits: `customer:<id>`, `staff:<id>`, `guest:<hash>` …
   */
  principal: string
}
